using Newtonsoft.Json.Linq;

/// <summary>How closely blocks are known, against made-up launches.</summary>
public sealed class PrecisionTests
{
    [Fact]
    public void A_block_is_as_wide_as_its_widest_ratio_to_the_baseline()
    {
        double[] spread = [.. Enumerable.Range(0, 40).Select(i => 100.0 + i)];
        LaunchRecord[] launches = [.. new[] { "r1", "r2" }.SelectMany(launch => new[]
        {
            Launch($"{launch}-unreliable-1x1-32", "udp", [.. Enumerable.Repeat(100.0, 40)]),
            Launch($"{launch}-unreliable-1x1-32", "enet", [.. Enumerable.Repeat(300.0, 40)]),
            Launch($"{launch}-unreliable-1x1-32", "kcp2k", spread),
            Launch($"{launch}-reliable-1x1-32", "kcp2k", spread),
            Launch($"{launch}-reliable-1x1-32", "enet", spread),
            Launch($"{launch}-unreliable-9x1-32", "udp", spread),
        })];
        var widths = Precision.HalfWidths(launches);
        var kcp2k = RoundRatios.Rates(
            launches.Where(launch => launch.Library == "kcp2k"),
            launches.Where(launch => launch.Library == "udp"))!;
        Assert.Equal(kcp2k.HalfWidth, widths["unreliable-1x1-32"]);
        Assert.True(kcp2k.HalfWidth > 0.02);
        // Where there is no baseline the first by name stands in; alone there is no ratio.
        Assert.Equal(0, widths["reliable-1x1-32"]);
        Assert.Equal(2, widths.Count);
    }

    [Fact]
    public void Both_profiles_and_both_reliable_deliveries_are_cells_of_their_block()
    {
        double[] steady = [.. Enumerable.Repeat(100.0, 40)];
        double[] spread = [.. Enumerable.Range(0, 40).Select(i => 100.0 + i)];
        foreach (var (delivery, profile) in new[] { ("reliable-unordered", "default"), ("reliable-ordered", "tuned") })
        {
            var widths = Precision.HalfWidths(
            [
                Launch("r1-b", "tcp", steady),
                Launch("r1-b", "enet", steady),
                Launch("r1-b", "enet", spread, delivery, profile),
            ]);
            Assert.True(widths["b"] > 0.02);
        }
    }

    static LaunchRecord Launch(
        string block,
        string library,
        double[] rates,
        string delivery = "reliable-ordered",
        string profile = "default") => RecordFile.As<LaunchRecord>(new JObject
        {
            ["library"] = library,
            ["block"] = block,
            ["settings"] = new JObject { ["delivery"] = delivery, ["profile"] = profile },
            ["rounds"] = new JObject
            {
                ["elapsed_ns"] = new JArray(rates.Select(_ => 1_000_000_000L)),
                ["completed"] = new JArray(rates.Select(rate => (long)rate)),
            },
        });
}
