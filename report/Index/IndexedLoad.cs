/// <summary>A load and what else a figure depends on, but for the library and the machine.</summary>
/// <param name="Words">For readers.</param>
/// <param name="Order">By which loads are sorted.</param>
sealed record IndexedLoad(string Words, string Order)
{
    // What the words say by themselves, what says how closely it was looked at, and where the sides were.
    static readonly string[] saidElsewhere =
    [
        "payload_bytes", "rate", "seed", "warmup_seconds", "seconds", "rounds", "slice_ms", "settle_ms", "address",
        "client_machines", "awake",
        .. LinkSettings.Names,
    ];

    static readonly Dictionary<string, string> usual = Setting.OfLaunch.ToDictionary(
        setting => setting.Name,
        setting => Text.Value(setting.ValueIn(LaunchSettings.Default))
    );

    /// <summary>That of a cell.</summary>
    public static IndexedLoad Of(Cell cell)
    {
        var layout = WorkLayout.Of(cell.Work);
        List<string> parts = [layout.LoadOf(cell)];
        if (cell.Shared.ContainsKey("payload_bytes") && cell.Work is { IsAnswered: true, HasRooms: false })
            parts.Add($"{cell.Settings.PayloadBytes:N0} B");
        if (cell.IsEncrypted)
            parts.Add("TLS");
        if (cell.Link != null)
            parts.Add($"link of {cell.Link}");
        foreach (var (name, value) in cell.Shared)
        {
            bool isSaid = saidElsewhere.Contains(name) || layout.SaidByLoad.Contains(name);
            if (!isSaid && value != usual.GetValueOrDefault(name))
                parts.Add($"{name} {value}");
        }
        var words = Text.Plain(string.Join(", ", parts));
        // The unencrypted first, and near and sound links.
        var order = $"{cell.Link?.RttMs ?? 0}|{cell.Link?.LossPercent ?? 0}|{cell.Clients}|{cell.Parallel}|{cell.Rate}"
            + $"|{cell.Settings.PayloadBytes}|{(cell.IsEncrypted ? 1 : 0)}|{words}";
        return new(words, Text.NumbersPadded(order));
    }
}
