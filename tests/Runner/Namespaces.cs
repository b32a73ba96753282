using System.Globalization;

/// <summary>Machines to reach by ssh: network namespaces of Linux on a switch of their own, each with an
/// sshd, a home folder and processes that are its alone. Nothing of it touches this machine's network
/// or ssh; all of it ends with the tests.</summary>
[CollectionDefinition(Name)]
public sealed class Namespaces : ICollectionFixture<Namespaces>, IDisposable
{
    /// <summary>The collection of the tests that share them, one after another.</summary>
    public const string Name = "namespaces";

    /// <summary>The address of the machine that all is started from.</summary>
    public const string Parent = "10.213.7.1";

    /// <summary>The address of the server's host.</summary>
    public const string Server = "10.213.7.2";

    /// <summary>The address of a host of clients.</summary>
    public const string ClientA = "10.213.7.3";

    /// <summary>The address of the other host of clients.</summary>
    public const string ClientB = "10.213.7.4";

    /// <summary>An address that has a neighbour, which never answers.</summary>
    public const string Silent = "10.213.7.99";

    /// <summary>The client hosts as a flag's value; one of them names its user.</summary>
    public const string Clients = $"{ClientA},root@{ClientB}";

    /// <summary>Flags that name the hosts.</summary>
    public static readonly string[] Sides = ["--server-host", Server, "--client-hosts", Clients];

    static readonly string[] hosts = [Server, ClientA, ClientB];
    static readonly string[] programs = ["ip", "sshd", "ssh", "scp", "ssh-keygen"];

    readonly Scratch scratch = new();

    // A process of each machine that lasts as long as it does, by its address; the parent's only sleeps. Its folder in
    // /proc tells of the network that all on that machine are in.
    readonly Dictionary<string, Command> lasting = [];

    /// <summary>Why there are no machines; null: they are there.</summary>
    public string? Missing { get; }

    public Namespaces()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
            Missing = "Machines in network namespaces need root on Linux.";
        else if (Array.Find(programs, program => Find(program) == null) is { } program)
            Missing = $"There is no {program}: install iproute2, openssh-client and openssh-server.";
        if (Missing == null)
            RemoveOld();
        if (Missing == null && Ip("netns", "add", NameOf(Parent)) is { ExitCode: not 0 } refused)
            Missing = $"No network namespace can be made here: {string.Join(' ', refused.Error)}.";
        if (Missing != null)
            return;
        try
        {
            Connect();
            WriteKeys();
            lasting[Parent] = Command.Start(Find("ip")!, "netns", "exec", NameOf(Parent), "sleep", "infinity");
            foreach (var host in hosts)
                lasting[host] = StartDaemon(host);
            foreach (var host in hosts)
                lasting[host].LineWith("Server listening on");
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Starts a program on the parent's machine, in a folder.</summary>
    internal Command StartIn(string folder, string file, params IEnumerable<string> args)
    {
        var path = $"{scratch.PathOf("bin")}:{Environment.GetEnvironmentVariable("PATH")}";
        string[] onMachine = ["netns", "exec", NameOf(Parent)];
        string[] heedingCtrlC = ["setsid", "env", "--default-signal=INT"];
        return Command.StartIn(folder, [("PATH", path)], Find("ip")!, [.. onMachine, .. heedingCtrlC, file, .. args]);
    }

    /// <summary>Runs the tool runner on the parent's machine, in a folder.</summary>
    internal Ended Lead(string folder, params IEnumerable<string> args)
    {
        using var command = StartIn(folder, "dotnet", [Tool.LeadPath, .. args]);
        return command.Wait();
    }

    /// <summary>Copies what is measured here to all hosts, once.</summary>
    public void Deploy()
    {
        string[] libraries = ["udp", "tcp"];
        Assert.SkipUnless(libraries.All(library => Bench.IsBuilt($"bench-{library}")), "A bench is not built.");
        if (Directory.Exists(Path.Combine(HomeOf(Server), "netbench")))
            return;
        Lead(Repo.Root, ["deploy", .. Sides, "--libraries", string.Join(',', libraries)]).WithCode(0);
    }

    /// <summary>The folder that an ssh session of a host starts in.</summary>
    public string HomeOf(string host) => scratch.PathOf(host);

    /// <summary>Numbers and words of the processes of a host, its sshd's aside.</summary>
    public Dictionary<int, string> ProcessesOf(string host) => PidsIn(Lasting(host))
        .ToDictionary(pid => pid, pid => Read($"/proc/{pid}/cmdline").Replace('\0', ' '))
        .Where(process => process.Value != "" && !process.Value.StartsWith("sshd"))
        .ToDictionary();

    /// <summary>Processes of the parent's machine and of all hosts whose words hold a text.</summary>
    public Dictionary<int, string> ProcessesWith(string text)
    {
        var all = hosts.Prepend(Parent).SelectMany(ProcessesOf);
        return all.Where(process => process.Value.Contains(text)).ToDictionary();
    }

    /// <summary>Plugs a host's cable in or out.</summary>
    public void Plug(string host, bool isIn) =>
        Must(Ip("-n", NameOf(host), "link", "set", "eth0", isIn ? "up" : "down"));

    /// <summary>The lines of a file of a host in /proc/net.</summary>
    public string[] NetOf(string host, string file) =>
        File.ReadAllLines($"/proc/{Lasting(host)}/net/{file}");

    /// <summary>Bytes that came over an interface of a host so far.</summary>
    public long BytesReceivedBy(string host) => ReceivedBy(host, "eth0");

    /// <summary>Bytes that the parent's machine itself received so far.</summary>
    public long BytesReceivedByParent => ReceivedBy(Parent, "switch");

    public void Dispose()
    {
        foreach (var process in lasting.Values)
        {
            Array.ForEach(PidsIn(process.Id), Kill);
            process.Dispose();
        }
        if (Missing == null)
            Ip("-force", "-batch", BatchOf([.. hosts.Append(Parent).Select(host => $"netns del {NameOf(host)}")]));
        scratch.Dispose();
    }

    // What tests that were killed have left behind.
    static void RemoveOld()
    {
        foreach (var name in Ip("netns", "list").Out.Select(line => line.Split(' ')[0]))
        {
            var isOfTests = name.Split('-') is ["bench", "tests", _, _];
            if (isOfTests && !Directory.Exists($"/proc/{name.Split('-')[2]}"))
            {
                Array.ForEach(
                    [.. Ip("netns", "pids", name).Out.Select(pid => int.Parse(pid, CultureInfo.InvariantCulture))],
                    Kill);
                Ip("netns", "del", name);
            }
        }
    }

    // The switch stands in the parent's namespace, so that this machine's own network stays as it is.
    void Connect()
    {
        Batch([], [.. hosts.Select(host => $"netns add {NameOf(host)}")]);
        string PlugOf(string host) => $"plug{host.Split('.')[^1]}";
        Batch(
            ["-n", NameOf(Parent)],
            [
                "link add switch type bridge",
                $"addr add {Parent}/24 dev switch",
                "link set lo up",
                "link set switch up",
                .. hosts.Select(host => $"link add {PlugOf(host)} type veth peer name eth0 netns {NameOf(host)}"),
                .. hosts.Select(host => $"link set {PlugOf(host)} master switch up"),
                $"neigh add {Silent} lladdr 02:00:00:00:00:99 dev switch",
            ]);
        foreach (var host in hosts)
        {
            Batch(["-n", NameOf(host)], [$"addr add {host}/24 dev eth0", "link set lo up", "link set eth0 up"]);
        }
    }

    // One process does all of it.
    void Batch(string[] options, string[] commands) => Must(Ip([.. options, "-batch", BatchOf(commands)]));

    string BatchOf(string[] commands)
    {
        var batch = scratch.PathOf("batch");
        File.WriteAllLines(batch, commands);
        return batch;
    }

    // Plain ssh and scp, as a bench starts them, find these keys and no others.
    void WriteKeys()
    {
        foreach (var key in new[] { "user", "host" })
            Must(Run(Find("ssh-keygen")!, "-q", "-t", "ed25519", "-N", "", "-f", scratch.PathOf(key)));
        var hostKey = File.ReadAllText(scratch.PathOf("host.pub")).Split(' ');
        File.WriteAllText(scratch.PathOf("known_hosts"), $"* {hostKey[0]} {hostKey[1]}\n");
        File.WriteAllText(scratch.PathOf("ssh_config"), $"""
            IdentityFile {scratch.PathOf("user")}
            IdentitiesOnly yes
            UserKnownHostsFile {scratch.PathOf("known_hosts")}
            GlobalKnownHostsFile /dev/null
            StrictHostKeyChecking yes
            """ + "\n");
        Directory.CreateDirectory(scratch.PathOf("bin"));
        foreach (var program in new[] { "ssh", "scp" })
        {
            var path = scratch.PathOf("bin", program);
            var config = scratch.PathOf("ssh_config");
            File.WriteAllText(path, $"#!/bin/sh\nexec {Find(program)} -F {config} \"$@\"\n");
            if (OperatingSystem.IsLinux())
                File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }
    }

    // ip gives its child mounts of its own: another home in passwd and an empty /run are seen there alone.
    Command StartDaemon(string host)
    {
        var home = HomeOf(host);
        Directory.CreateDirectory(home);
        var passwd = home + ".passwd";
        var config = home + ".sshd_config";
        string WithHome(string line)
        {
            var user = line.Split(':');
            return user[0] == "root" ? string.Join(':', [.. user[..5], home, "/bin/sh"]) : line;
        }
        var variables = string.Join(' ', ShortLived.Variables().Select(variable => $"\"{variable}\""));
        File.WriteAllLines(passwd, File.ReadLines("/etc/passwd").Select(WithHome));
        File.WriteAllText(config, $"""
            ListenAddress {host}
            HostKey {scratch.PathOf("host")}
            AuthorizedKeysFile {scratch.PathOf("user.pub")}
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            Subsystem sftp internal-sftp
            SetEnv PATH={home}/bin:{Path.GetDirectoryName(Find("dotnet"))}:/usr/bin:/bin {variables}
            """ + "\n");
        var script = $"mount --bind {passwd} /etc/passwd && mount -t tmpfs run /run && mkdir /run/sshd "
            + $"&& exec {Find("sshd")} -D -e -f {config} 2>&1";
        return Command.Start(Find("ip")!, "netns", "exec", NameOf(host), "sh", "-c", script);
    }

    long ReceivedBy(string host, string device)
    {
        var line = NetOf(host, "dev").Single(line => line.TrimStart().StartsWith($"{device}:"));
        var bytes = line.Split(':')[1].TrimStart().Split(' ')[0];
        return long.Parse(bytes, CultureInfo.InvariantCulture);
    }

    static string NameOf(string address) => $"bench-tests-{Environment.ProcessId}-{address.Split('.')[^1]}";

    int Lasting(string host)
    {
        Assert.False(lasting[host].HasExited, $"The process of {host} that was to last has ended.");
        return lasting[host].Id;
    }

    // All that are in the network of one of them; none where it has ended or is still in that of these tests, of which
    // nobody may be killed.
    static int[] PidsIn(int process)
    {
        if (LinkOf($"{process}") is not { } own || own == LinkOf("self"))
            return [];
        var pids = Directory.GetDirectories("/proc").Select(Path.GetFileName).Where(file => file!.All(char.IsDigit));
        return [.. pids.Where(pid => LinkOf(pid!) == own).Select(pid => int.Parse(pid!))];
    }

    // The network that a process is in; null of one that has ended.
    static string? LinkOf(string pid)
    {
        try
        {
            return new FileInfo($"/proc/{pid}/ns/net").LinkTarget;
        }
        catch (IOException)
        {
            return null;
        }
    }

    static void Kill(int pid)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(pid);
            process.Kill();
        }
        catch (ArgumentException)
        {
            // It has ended.
        }
    }

    static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            return "";
        }
    }

    static Ended Ip(params string[] args) => Run(Find("ip")!, args);

    static Ended Run(string file, params string[] args)
    {
        using var command = Command.Start(file, args);
        return command.Wait();
    }

    static void Must(Ended ended) => ended.WithCode(0);

    /// <summary>Path of a program; sshd and ip lie where the PATH of a user may not lead.</summary>
    internal static string? Find(string program) => Runner.Find(program, "/usr/sbin", "/sbin");
}
