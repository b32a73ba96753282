using Newtonsoft.Json.Linq;

/// <summary>An info record tells what a library can do, and one build of a bench from another.</summary>
public sealed class InfoTests
{
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void It_says_of_each_line_of_flags_whether_the_library_can_do_that(string bench)
    {
        var deliveries = Bench.DeliveriesOf(bench);
        string[] lines = [.. Contract.Deliveries.Select(delivery => $"--delivery {delivery} --clients 5"),
            "--profile tuned", "--clients 7 --parallel 3 --payload-bytes 100 --rate 5"];
        using var command = Bench.Start(bench, "info", "--until-stdin-closes");
        command.Write(string.Join('\n', lines));
        var infos = command.Wait().WithCode(0).Records;
        Assert.Equal(1 + lines.Length, infos.Length);
        Assert.All(infos, info => Assert.Empty(Contract.Unknown(info)));
        Assert.Null((string?)infos[0]["refusal"]);
        foreach (var (delivery, info) in Contract.Deliveries.Zip(infos.Skip(1)))
            Assert.Equal(deliveries.Contains(delivery) ? null : $"{Bench.LibraryOf(bench)} has no {delivery} delivery.",
                (string?)info["refusal"]);
        Assert.Equal(infos[0]["tuning"]!.Type == JTokenType.Object ? null : $"{Bench.LibraryOf(bench)} has no tuned profile.",
            (string?)infos[^2]["refusal"]);
        Assert.Null((string?)infos[^1]["refusal"]);
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void It_refuses_what_a_run_would_refuse(string bench)
    {
        using var command = Bench.Start(bench, "info", "--until-stdin-closes");
        command.Write(string.Join('\n', Bench.DeliveriesOf(bench).Select(delivery => $"--delivery {delivery} --payload-bytes 65507")));
        foreach (var (delivery, info) in Bench.DeliveriesOf(bench).Zip(command.Wait().WithCode(0).Records.Skip(1)))
        {
            var run = Bench.Lead(bench, ["--delivery", delivery, "--payload-bytes", "65507", .. Bench.Short]);
            Assert.Equal((string?)info["refusal"], run.ExitCode == 3 ? (string?)run.Failure(3)["reason"] : null);
        }
    }

    [Fact]
    public void A_line_that_is_none_of_flags_is_told_in_a_sentence()
    {
        using var command = Bench.Start(Bench.Model, "info", "--until-stdin-closes");
        command.Write("--clients 5\n--clients x\n");
        Assert.Equal("--clients takes a number from 1 to 100000, not 'x'.", (string?)command.Wait().Failure()["reason"]);
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
        string[] files = [.. Directory.GetFiles(built, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(built, file)).Order()];
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
