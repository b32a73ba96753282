using Newtonsoft.Json.Linq;

/// <summary>How large chance is on a machine, and the least change that counts there.</summary>
public sealed class NoiseFloorTests : ComparedSweeps
{
    [Fact]
    public void The_least_change_is_larger_with_a_hypervisor_and_with_a_noise_floor()
    {
        JObject[] before = [.. Cell(MadeUp.Five)];
        JObject[] after = [.. Cell(MadeUp.Five, 0.955)];
        Assert.Contains("exceeds 3 % (the default without a hypervisor)", Compare(before, after, Worse));

        (string, object?) kvm = ("hypervisor", "kvm");
        Write("base", [Machine(kvm), .. before], false);
        Write("new", [Machine(kvm), .. after], false);
        Assert.Contains("exceeds 5 % (the default with a hypervisor, kvm)", Run(0));

        Write("base", before);
        Write("new", after);
        foreach (var side in new[] { "base", "new" })
        {
            var file = scratch.PathOf(side, "noise.json");
            File.WriteAllText(file, FloorOf(0.061).ToString());
            Assert.Contains($"exceeds 6.1 % (the noise floor of {side.ToUpperInvariant()})", Run(0));
            File.WriteAllText(file, FloorOf(0.001).ToString());
            Assert.Contains("exceeds 3 % (the default", Run(Worse));
            File.WriteAllText(file, FloorOf(0.061, ("cpu_model", "Another")).ToString());
            Assert.Contains("cpu_model is Example CPU", Command().WrongUsage());
            var older = FloorOf(0.061);
            older["v"] = 9;
            foreach (var odd in new[] { "", "{", "[]", "{\"v\":9}", FloorOf(-1).ToString(), "[[[[", older.ToString() })
            {
                File.WriteAllText(file, odd);
                Assert.Contains("is none of `report noise`", Command().WrongUsage());
            }
            File.Delete(file);
        }

        Directory.CreateDirectory(scratch.PathOf("noise"));
        File.WriteAllText(scratch.PathOf("noise", "noise.json"), FloorOf(0.061).ToString());
        Assert.Contains("(the noise floor of --noise)", Run(0, "--noise", scratch.PathOf("noise")));
        Command("--noise", scratch.PathOf("nowhere")).WrongUsage();
        File.WriteAllText(scratch.PathOf("noise", "noise.json"), FloorOf(0.061, ("kernel", "9")).ToString());
        Command("--noise", scratch.PathOf("noise")).WrongUsage();
    }

    [Fact]
    public void The_noise_floor_of_a_sweep_is_what_compare_reads()
    {
        Write("noise", [.. Null(4, 20, 1), .. Cell(MadeUp.Five, parallel: 9)]);
        var page = string.Join('\n', Noise().WithCode(0).Out);
        var noise = Record.Parse(File.ReadAllText(scratch.PathOf("noise", "noise.json")));
        Assert.Equal(11, (int)noise["v"]!);
        Assert.Equal(4, (int)noise["cells"]!);
        Assert.Equal(80, (int)noise["launches"]!);
        // The median of 10 normal values has a deviation of about 1.18 x 4 % / sqrt(10), the ratio of two
        // sqrt(2) times that, 2.1 %; 95 % are within 1.96 times that, 4.1 %.
        Assert.InRange((double)noise["noise_floor"]!, 0.03, 0.055);
        Assert.InRange((double)noise["false_alarm_rate"]!, 0, 0.05);
        Assert.Contains($"The noise floor is **{100 * (double)noise["noise_floor"]!:F2} %**", page);
        Assert.Contains("- udp unreliable, 1 client x 9, payload_bytes 32: 5 launches, of at least 10", page);
        Say(page.Split('\n').First(line => line.Contains("its rule called")));

        Write("base", [.. Cell(MadeUp.Five)]);
        Write("new", [.. Cell(MadeUp.Five, 0.965)]);
        Run(Worse);
        Assert.Contains("the noise floor of --noise", Run(0, "--noise", scratch.PathOf("noise")));

        var before = File.ReadAllText(scratch.PathOf("noise", "noise.json"));
        Assert.Equal(page, string.Join('\n', Noise(Tool.German).Out));
        Assert.Equal(before, File.ReadAllText(scratch.PathOf("noise", "noise.json")));
    }

    [Fact]
    public void A_noise_floor_needs_one_sweep_of_one_machine_with_enough_launches()
    {
        Write("noise", [.. Cell(MadeUp.Five)]);
        Assert.Contains("5 launches, of at least 10", Noise().WrongUsage());
        Write("noise", [Machine(), Machine(("run_id", "another")), .. Null(1, 10, 1)], false);
        Assert.Contains("more than one sweep", Noise().WrongUsage());
        Write("noise", [.. Null(1, 10, 1)], false);
        Assert.Contains("no record of its machine", Noise().WrongUsage());
        Assert.False(File.Exists(scratch.PathOf("noise", "noise.json")));
    }

    Ended Noise(string? culture = null) => Tool.RunIn(culture, "noise", scratch.PathOf("noise"));

    static JObject FloorOf(double floor, params (string, object?)[] facts)
    {
        string[] notOfMachine =
        [
            "v",
            "record",
            "run_id",
            "date_utc",
            "preset",
            "changed",
            "sweep_seed",
            "repeats",
            "role",
            "client_machine",
            "sweep",
            "suite_commit",
            "suite_dirty",
        ];
        var machine = Machine(facts);
        foreach (var field in notOfMachine)
            machine.Remove(field);
        return new()
        {
            ["v"] = 11,
            ["interleaved"] = false,
            ["noise_floor"] = floor,
            ["machine"] = new JObject { ["all"] = machine },
        };
    }
}
