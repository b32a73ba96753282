/// <summary>A sweep over several machines, reached by ssh: here network namespaces of this one.</summary>
public sealed class MachinesTests : IClassFixture<Namespaces>, IDisposable
{
    static readonly string[] sides =
        ["--server-host", Namespaces.Server, "--client-hosts", Namespaces.Clients];
    static readonly string[] hosts = [Namespaces.Server, Namespaces.ClientA, Namespaces.ClientB];

    readonly Namespaces machines;
    readonly Scratch scratch = new();

    public MachinesTests(Namespaces machines)
    {
        Assert.SkipWhen(machines.Missing != null, machines.Missing ?? "");
        Assert.SkipUnless(Tool.IsBuilt, "The report tool is not built.");
        this.machines = machines;
    }

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void Deploying_copies_each_executable_to_each_host_and_replaces_what_was_there()
    {
        var benches = Repo.Benches.Where(Bench.IsBuilt).ToArray();
        for (var time = 1; time <= 2; time++)
        {
            // The server's host has clients as well, and is copied to once.
            var deployed = machines.Report(Repo.Root, "deploy", "--server-host", Namespaces.Server,
                "--client-hosts", $"{Namespaces.Clients},{Namespaces.Server}").WithCode(0);
            Assert.Empty(deployed.Error);
            Assert.Equal(new[] { Namespaces.Server, Namespaces.ClientA, $"root@{Namespaces.ClientB}" }
                .Select(host => $"copied {benches.Length} executables to {host}").Order(), deployed.Out.Order());
            foreach (var host in hosts)
            {
                var folder = Path.Combine(machines.HomeOf(host), "netbench");
                Assert.Equal([.. benches, "report"],
                    Directory.GetDirectories(folder).Select(path => Path.GetFileName(path)!).Order());
                foreach (var bench in benches)
                    AssertSame(Repo.PathOf(bench, "bin", "Release"), Path.Combine(folder, bench));
                File.WriteAllText(Path.Combine(folder, "bench-udp", "of-an-older-build.dll"), "");
                File.WriteAllText(Path.Combine(folder, "bench-udp", "bench-udp.dll"), "");
            }
        }
    }

    [Fact]
    public void A_folder_that_was_not_deployed_is_not_emptied()
    {
        var source = Path.Combine(machines.HomeOf(Namespaces.Server), "suite", "bench-udp", "Client.cs");
        Directory.CreateDirectory(Path.GetDirectoryName(source)!);
        File.WriteAllText(source, "");
        foreach (var folder in new[] { "suite", ".", Path.GetDirectoryName(source)! })
            Assert.Contains($"its folder '{folder}' holds", machines.Report(Repo.Root, "deploy", "--server-host",
                Namespaces.Server, "--remote-folder", folder).WithCode(1).Sentence());
        Assert.True(File.Exists(source));
    }

    [Fact]
    public void A_host_that_cannot_be_reached_is_told_in_one_sentence()
    {
        var ended = machines.Report(Repo.Root, "deploy", "--server-host", Namespaces.Server,
            "--client-hosts", Namespaces.Silent, "--remote-folder", "unreachable").WithCode(1);
        Assert.Contains($"Cannot copy to {Namespaces.Silent}: ssh: connect to host", ended.Sentence());
        Assert.True(ended.Error[0].Contains("timed out"), ended.ToString());
        Assert.InRange(ended.Seconds, 9, 13);
        Assert.Contains("Permission denied", machines.Report(Repo.Root, "deploy", "--server-host",
            $"nobody@{Namespaces.Server}").WithCode(1).Sentence());
        Assert.Contains("nosuch.invalid", machines.Report(Repo.Root, "deploy", "--server-host",
            "nosuch.invalid").WithCode(1).Sentence());
    }

    [Theory]
    [InlineData("--server-host", "-oProxyCommand=touch${IFS}odd")]
    [InlineData("--server-host", "root@-oProxyCommand")]
    [InlineData("--server-host", "a;touch odd")]
    [InlineData("--server-host", "$(touch odd)")]
    [InlineData("--server-host", "a,b")]
    [InlineData("--server-host", "a b")]
    [InlineData("--server-host", "a\n")]
    [InlineData("--server-host", "")]
    [InlineData("--client-hosts", "a,,b")]
    [InlineData("--client-hosts", "a,-b")]
    [InlineData("--client-hosts", "a,`touch odd`")]
    [InlineData("--remote-folder", "../netbench")]
    [InlineData("--remote-folder", "net bench")]
    [InlineData("--remote-folder", "$HOME")]
    [InlineData("--remote-folder", "~/netbench")]
    [InlineData("--remote-folder", "-rf")]
    [InlineData("--libraries", "../udp")]
    public void Odd_names_are_wrong_usage(string flag, string value)
    {
        machines.Report(scratch.Folder, "deploy", flag, value).WrongUsage();
        Assert.Empty(Directory.GetFileSystemEntries(scratch.Folder));
    }

    static void AssertSame(string folder, string copy)
    {
        string[] Files(string root) => [.. Directory.GetFiles(root, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(root, file)).Order()];
        Assert.Equal(Files(folder), Files(copy));
        Assert.All(Files(folder), file => Assert.Equal(
            File.ReadAllBytes(Path.Combine(folder, file)), File.ReadAllBytes(Path.Combine(copy, file))));
    }
}
