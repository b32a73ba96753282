/// <summary>How the plain UDP bench finds a link.</summary>
/// <param name="Sent">Its datagrams.</param>
/// <param name="Lost">Of these, not answered.</param>
/// <param name="RttP50Us">Of its round trips; null: there were too few.</param>
/// <param name="RttP99Us">Likewise.</param>
/// <param name="RateKbit">What the link lets through; null: it has no rate that the bench could reach.</param>
sealed record LinkProbe(long Sent, long Lost, long? RttP50Us, long? RttP99Us, long? RateKbit);
