/// <summary>A chart. File: of its picture, without ending. Says: what it shows, for who does not see it.</summary>
sealed record Chart(string File, string Says, Panel[] Panels);
