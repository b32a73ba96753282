/// <summary>What a chart is of: cells of one delivery mode that share all settings but clients, messages in
/// flight, profile and rate. Settings: these in words.</summary>
sealed record Subject(string Delivery, string Settings, Cell[] Cells, Looks Looks);
