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

    // Of reliable modes StreamTests holds the same.
    [Fact]
    public void It_refuses_what_a_run_would_refuse()
    {
        string[] load = ["--payload-bytes", "65507", "--clients", "2"];
        LedBlock.Member[] members =
        [
            .. from row in Bench.WithDeliveries
            where row.Skip == null && row.Data.Item2 == "unreliable"
            select new LedBlock.Member(row.Data.Item1, row.Data.Item2),
        ];
        var block = new LedBlock(members, [.. load, "--warmup-seconds", "0", "--seconds", "0.1"]);
        var refused = 0;
        foreach (var member in members)
        {
            var info = Bench.Run(member.Bench, ["info", "--delivery", member.Delivery, .. load]).WithCode(0).Records[0];
            var refusal = block.RefusalOf(member);
            Assert.Equal((string?)info["refusal"], refusal);
            refused += refusal == null ? 0 : 1;
        }
        // Baselines refuse none of that.
        var others = members.Count(member => member.Bench != Bench.Model);
        Assert.InRange(refused, Math.Min(1, others), others);
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

    // The runner makes it, alike of every bench: of one that is .NET's alone, and one that has native files.
    [Theory, InlineData("bench-udp"), InlineData("bench-enet")]
    public void Every_file_of_an_executable_changes_its_hash(string bench)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        using var scratch = new Scratch();
        var files = Copy(Bench.PathOf(bench), scratch.PathOf(bench));
        Copy(Tool.LeadPath, scratch.PathOf("runner"));
        var (library, original) = Hashes(scratch.PathOf("runner", "runner.dll"), bench);
        Assert.Matches("^[0-9a-f]{64}$", library);
        Assert.Matches("^[0-9a-f]{64}$", original);
        Assert.Equal((library, original), Hashes(Tool.LeadPath, bench));

        // One that info does not need whole: symbols, and what is native to this system or another.
        var native = files.Where(file => file.Contains("runtimes")).ToArray();
        Assert.Equal(bench == "bench-enet", native.Length > 0);
        foreach (var file in files.Where(file => file.EndsWith(".pdb")).Take(1).Concat(native.Take(2)))
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
        command.CloseInput(); // what the build printed, which is nothing
        var info = Assert.Single(command.Wait().WithCode(0).Records);
        Assert.Empty(Contract.Faults(info, "info"));
        return ((string)info["library_sha256"]!, (string)info["bench_sha256"]!);
    }
}
