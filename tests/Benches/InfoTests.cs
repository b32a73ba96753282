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
            "--clients 7 --parallel 3 --payload-bytes 100 --rate 5",
        ];
        using var command = Bench.Start(bench, "info", "--until-stdin-closes");
        command.Write(string.Join('\n', lines));
        var infos = command.Wait().WithCode(0).Records;
        Assert.Equal(1 + lines.Length, infos.Length);
        Assert.All(infos, info => Assert.Empty(Contract.Unknown(info)));
        string? RefusalOf(string mode) => deliveries.Contains(mode) ? null : $"{library} has no {mode} delivery.";
        var hasTuned = infos[0]["tuning"]!.Type == JTokenType.Object;
        string?[] expected =
        [
            null,
            .. Contract.Deliveries.Select(RefusalOf),
            $"{library} has no nosuch variant.",
            $"{library} has no nosuch security.",
            $"{library} has no nosuch work.",
            hasTuned ? null : $"{library} has no tuned profile.",
            null,
        ];
        Assert.Equal(expected, infos.Select(info => (string?)info["refusal"]));
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void It_refuses_what_a_run_would_refuse(string bench)
    {
        var deliveries = Bench.DeliveriesOf(bench);
        using var command = Bench.Start(bench, "info", "--until-stdin-closes");
        command.Write(string.Join('\n', deliveries.Select(mode => $"--delivery {mode} --payload-bytes 65507")));
        var infos = command.Wait().WithCode(0).Records.Skip(1);
        foreach (var (delivery, info) in deliveries.Zip(infos))
        {
            string[] flags = ["--delivery", delivery, "--payload-bytes", "65507"];
            var run = Bench.Lead(bench, [.. flags, .. Bench.Short]);
            var refusal = run.ExitCode == 3 ? (string?)run.Failure(3)["reason"] : null;
            Assert.Equal((string?)info["refusal"], refusal);
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

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Every_file_of_an_executable_changes_its_hash(string bench)
    {
        using var scratch = new Scratch();
        var files = Copy(Bench.PathOf(bench), scratch.PathOf(bench));
        Copy(Tool.LeadPath, scratch.PathOf("runner"));
        var (library, original) = Hashes(scratch.PathOf("runner", "runner.dll"), bench);
        Assert.Matches("^[0-9a-f]{64}$", library);
        Assert.Matches("^[0-9a-f]{64}$", original);
        Assert.Equal((library, original), Hashes(Tool.LeadPath, bench));

        // One that info does not need whole: symbols, and what is native to this system or another.
        foreach (var file in files.Where(file => file.EndsWith(".pdb") || file.Contains("runtimes")))
        {
            File.AppendAllText(scratch.PathOf(bench, file), " ");
            var (same, changed) = Hashes(scratch.PathOf("runner", "runner.dll"), bench);
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

    static (string Library, string Bench) Hashes(string runner, string bench)
    {
        using var command = Command.Start("dotnet", runner, "built", "--library", Bench.LibraryOf(bench));
        var info = Assert.Single(command.Wait().WithCode(0).Records);
        Assert.Empty(Contract.Faults(info, "info"));
        return ((string)info["library_sha256"]!, (string)info["bench_sha256"]!);
    }
}
