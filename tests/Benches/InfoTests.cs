using Newtonsoft.Json.Linq;

/// <summary>An info record tells what a library can do, and one build of a bench from another.</summary>
public sealed class InfoTests
{
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void It_says_of_each_line_of_flags_whether_the_library_can_do_that(string bench)
    {
        var library = Bench.LibraryOf(bench);
        var deliveries = Bench.DeliveriesOf(bench);
        string[] lines =
        [
            .. Contract.Deliveries.Select(delivery => $"--delivery {delivery} --clients 5"),
            "--variant nosuch",
            "--security nosuch",
            "--work nosuch",
            "--profile tuned",
            "--profile nosuch",
            "--clients 7 --parallel 3 --payload-bytes 100 --rate 5",
            .. deliveries.Select(delivery => $"--delivery {delivery} --payload-bytes 65507"),
        ];
        JObject[] infos = [Bench.InfoOf(bench), .. lines.Select(flags => Bench.InfoOf(bench, flags))];
        Assert.All(infos, info => Assert.Empty(Contract.Unknown(info)));
        string? RefusalOf(string mode)
        {
            var refusal = (string?)infos[1 + Array.IndexOf(Contract.Deliveries, mode)]["refusal"];
            if (deliveries.Contains(mode))
            {
                return null;
            }
            if (infos[0]["deliveries"]!.All(delivery => (string?)delivery != mode))
            {
                return $"{library} has no {mode} delivery.";
            }
            Assert.Contains("--variant", refusal);
            return refusal;
        }

        var hasTuned = infos[0]["tuning"]!.Type == JTokenType.Object;
        string?[] expected =
        [
            null,
            .. Contract.Deliveries.Select(RefusalOf),
            $"{library} has no nosuch variant.",
            $"{library} has no nosuch security.",
            $"{library} has no nosuch work.",
            hasTuned ? null : $"{library} has no tuned profile.",
            $"{library} has no nosuch profile.",
            null,
        ];
        string?[] refusals = [.. infos.Select(info => (string?)info["refusal"])];
        Assert.Equal(expected, refusals.Take(expected.Length));
        // What a message may have a library says itself; a baseline takes that in all of its modes. That a run refuses
        // the same StreamTests holds, and that a side does, alike in every bench, UsageTests.
        var ofLarge = refusals[expected.Length..].OfType<string>();
        Assert.All(ofLarge, refusal => Assert.Contains(" bytes", refusal));
        if (bench is "bench-udp" or "bench-tcp")
        {
            Assert.Empty(ofLarge);
        }
    }

    [Fact]
    public void A_line_that_is_none_of_flags_is_wrong_usage()
    {
        using var command = Bench.Start(Bench.Model, "info", "--until-stdin-closes");
        command.Write("--clients 5\n--clients x\n--clients 6\n");
        var ended = command.Wait().WithCode(2);
        Assert.Equal("udp info: --clients takes a whole number, not 'x'.", ended.Sentence());
        Assert.Equal(["info", "info"], ended.Records.Select(Record.KindOf));
    }

    // The runner makes it, alike of every bench.
    [Fact]
    public void Every_file_of_an_executable_changes_its_hash()
    {
        using var scratch = new Scratch();
        var files = Copy(Bench.PathOf(Bench.Model), scratch.PathOf(Bench.Model));
        Copy(Tool.LeadPath, scratch.PathOf("runner"));
        var (library, original) = Hashes(scratch.PathOf("runner", "runner.dll"));
        Assert.Matches("^[0-9a-f]{64}$", library);
        Assert.Matches("^[0-9a-f]{64}$", original);
        Assert.Equal((library, original), Hashes(Tool.LeadPath));

        // What info does not need: symbols, and what is native to this system or another.
        var native = Path.Combine("runtimes", "linux-x64", "native", "library.so");
        Directory.CreateDirectory(Path.GetDirectoryName(scratch.PathOf(Bench.Model, native))!);
        foreach (var file in new[] { files.First(file => file.EndsWith(".pdb")), native })
        {
            File.AppendAllText(scratch.PathOf(Bench.Model, file), " ");
            var (same, changed) = Hashes(scratch.PathOf("runner", "runner.dll"));
            Assert.Equal(library, same);
            Assert.True(original != changed, $"{file} does not count.");
            original = changed;
        }
    }

    // As it was built, to where a host has it; returns the files.
    static string[] Copy(string program, string folder)
    {
        var built = Path.GetDirectoryName(program)!;
        var paths = Directory.GetFiles(built, "*", SearchOption.AllDirectories);
        string[] files = [.. paths.Select(file => Path.GetRelativePath(built, file)).Order()];
        foreach (var file in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(folder, file))!);
            File.Copy(Path.Combine(built, file), Path.Combine(folder, file));
        }
        return files;
    }

    static (string Library, string Bench) Hashes(string runner)
    {
        using var command = Command.Start("dotnet", runner, "built", "--library", Bench.LibraryOf(Bench.Model));
        command.CloseInput(); // what the build printed, which is nothing
        var info = Assert.Single(command.Wait().WithCode(0).Records);
        Assert.Empty(Contract.Faults(info, "info"));
        return ((string)info["library_sha256"]!, (string)info["bench_sha256"]!);
    }
}
