using System.CommandLine;
using System.Diagnostics;
using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The machines that the sides of a run are started on through OpenSSH; none: this one.</summary>
sealed record Hosts(string? Server, string[] Clients, string Folder)
{
    const int CheckSeconds = 30;

    static readonly Option<string?> serverHost = new("--server-host")
    { Description = "Host (user@host) that the server is started on through ssh. [default: this machine]" };
    static readonly Option<string?> clientHosts = new("--client-hosts")
    { Description = "Hosts, comma-separated, that share the clients. [default: this machine]" };
    static readonly Option<string> remoteFolder = new("--remote-folder")
    {
        Description = "Folder on the hosts that holds this bench's folder.",
        DefaultValueFactory = _ => "netbench",
    };

    /// <summary>Both sides on this machine.</summary>
    public static readonly Hosts None = new(null, [], "");

    /// <summary>The flags that name them.</summary>
    public static readonly Option[] Flags = [serverHost, clientHosts, remoteFolder];

    /// <summary>Whether any side is on another machine.</summary>
    public bool Any => Server != null || Clients.Length > 0;

    /// <summary>The hosts of a parsed command line; refuses what could become a shell's word.</summary>
    public static Hosts From(ParseResult parsed)
    {
        var hosts = new Hosts(parsed.GetValue(serverHost),
            parsed.GetValue(clientHosts)?.Split(',') ?? [], parsed.GetValue(remoteFolder)!);
        foreach (var host in hosts.Clients.Prepend(hosts.Server).OfType<string>())
            if (!Regex.IsMatch(host, @"^(?!-)([A-Za-z0-9._-]+@)?[A-Za-z0-9._:\[\]-]+\z"))
                throw new Failure($"'{host}' is no host as in user@host.", Program.WrongUsage);
        if (!Regex.IsMatch(hosts.Folder, @"^(?!-)[A-Za-z0-9._/-]+\z"))
            throw new Failure($"'{hosts.Folder}' is no value for --remote-folder.", Program.WrongUsage);
        return hosts;
    }

    /// <summary>The settings with the address that both sides reach the server by.</summary>
    public Settings Complete(Settings settings)
    {
        if (!Any) return settings;
        if (settings.Trace) throw new Failure("--trace works on this machine alone.", Program.WrongUsage);
        if (Clients.Length > settings.Clients)
            throw new Failure("--client-hosts must not be more than --clients.", Program.WrongUsage);
        var address = Program.Resolve(settings.Address);
        if (System.Net.IPAddress.IsLoopback(address) && Server == null)
            throw new Failure("--client-hosts needs the --address at which they reach this machine.",
                Program.WrongUsage);
        if (System.Net.IPAddress.IsLoopback(address))
            address = Program.Resolve(Server!.Split('@')[^1].Trim('[', ']'));
        return settings with
        {
            Address = address.ToString(),
            ClientMachines = Math.Max(1, Clients.Length),
            ClientMachine = 0,
        };
    }

    /// <summary>Fails unless every host has this very executable.</summary>
    public void Check()
    {
        var own = Stats.BenchHash();
        var hosts = Clients.Prepend(Server).OfType<string>().Distinct().ToArray();
        var hashes = Task.WhenAll(hosts.Select(HashOn)).GetAwaiter().GetResult();
        foreach (var (host, hash) in hosts.Zip(hashes))
            if (hash != own)
                throw new Failure($"The host '{host}' has another build of this bench in '{Folder}'.");
    }

    /// <summary>The words that run this bench with such words on a host; null: here.</summary>
    public List<string> Command(string? host, string cpus, IEnumerable<string> words)
    {
        // Ctrl-C goes to all at the terminal, but ssh must live to bring what was measured so far.
        string[] deaf = OperatingSystem.IsWindows() ? [] : ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"];
        List<string> command = host == null ? [] :
        [
            .. deaf, "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
            "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
            "--", host.Replace("[", "").Replace("]", ""), // as an IPv6 address of scp has them
        ];
        // taskset before the runtime starts, so that its processor count and thread pool follow.
        if (cpus != "all") command.AddRange(["taskset", "-c", cpus]);
        var self = typeof(Hosts).Assembly;
        if (host != null)
            command.AddRange(["dotnet", $"{Folder}/{self.GetName().Name}/{self.GetName().Name}.dll"]);
        else
        {
            command.Add(Environment.ProcessPath!);
            if (Path.GetFileNameWithoutExtension(command[^1]) == "dotnet") command.Add(self.Location);
        }
        return [.. command, .. words];
    }

    async Task<string?> HashOn(string host)
    {
        var words = Command(host, "all", ["info"]);
        using var ssh = Parent.Start(new ProcessStartInfo(words[0], words.Skip(1))
        { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true });
        ssh.StandardInput.Close();
        var (said, complaint) = (ssh.StandardOutput.ReadToEndAsync(), ssh.StandardError.ReadToEndAsync());
        try
        {
            await ssh.WaitForExitAsync(new CancellationTokenSource(CheckSeconds * 1000).Token);
            // The last line, because a shell's start-up file may have said something before.
            return (string?)JObject.Parse((await said).TrimEnd().Split('\n')[^1])["bench_sha256"];
        }
        catch (Exception fault) when (fault is JsonReaderException or OperationCanceledException)
        {
            var isSilent = !ssh.HasExited;
            if (isSilent) ssh.Kill();
            var lines = (await complaint).Split('\n',
                StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            // ssh itself ends with its reason, others begin with it.
            throw new Failure($"The host '{host}' cannot run this bench: " + (lines.Length == 0
                ? "it does not answer." : lines[!isSilent && ssh.ExitCode == Parent.SshFailed ? ^1 : 0]));
        }
    }
}
