using System.CommandLine;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The other machines of a sweep, reached by OpenSSH as the caller would: the keys, names and
/// ports are those of the caller's own ssh. A side without a host is this machine.</summary>
sealed partial record Hosts(string? Server, string[] Clients, string Folder)
{
    const string NoAddress = "--client-hosts needs the --address at which they reach this machine.";

    // No prompt that nobody answers, and neither a dead host nor a link that dies later holds it up.
    static readonly string[] options = ["-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
        "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"];

    static readonly Option<string[]> ofServer =
        List("--server-host", HostPattern(), 1, "Host of the server. [default: this machine]");
    static readonly Option<string[]> ofClients =
        List("--client-hosts", HostPattern(), 64, "Hosts of the clients, a,b,… [default: this machine]");
    static readonly Option<string> ofFolder = new("--remote-folder")
    {
        Description = "Folder on the hosts that holds the executables.",
        DefaultValueFactory = _ => "netbench",
        CustomParser = given =>
        {
            var text = given.Tokens[0].Value;
            if (!FolderPattern().IsMatch(text))
            {
                given.AddError($"'{text}' is no value for --remote-folder.");
            }
            return text;
        },
    };

    /// <summary>The flags that name them, the same for every verb.</summary>
    public static Option[] Options => [ofServer, ofClients, ofFolder];

    /// <summary>The hosts that the flags of <see cref="Options"/> name.</summary>
    public static Hosts From(ParseResult parsed) => new(
        parsed.GetValue(ofServer)!.FirstOrDefault(), parsed.GetValue(ofClients)!, parsed.GetValue(ofFolder)!);

    /// <summary>Those that a sweep's settings name.</summary>
    public static Hosts From(SweepSettings settings)
    {
        var address = new Option<string>("--address");
        string[] words = [.. SweepSettings.HostNames
            .Where(settings.Texts.ContainsKey)
            .SelectMany(name => new[] { Setting.FlagOf(name), settings.Texts[name] })];
        var parsed = new RootCommand { ofServer, ofClients, ofFolder, address }.Parse(words);
        return parsed.Errors.Count == 0 ? From(parsed)
            : throw new Failure(parsed.Errors[0].Message, Exit.WrongUsage);
    }

    /// <summary>The settings that name them and the address, where either is not that of this machine alone.</summary>
    public Dictionary<string, string> Settings(string address)
    {
        if (Server == null && Clients.Length > 0 && address == "")
        {
            throw new Failure(NoAddress, Exit.WrongUsage);
        }
        string?[] values = [Server, string.Join(',', Clients), Any ? Folder : null, address];
        return SweepSettings.HostNames.Zip(values)
            .Where(setting => !string.IsNullOrEmpty(setting.Second))
            .ToDictionary()!;
    }

    /// <summary>An option that takes a comma-separated list of words of a pattern; empty where not given.
    /// </summary>
    public static Option<string[]> List(string name, Regex pattern, int most, string help) => new(name)
    {
        Description = help,
        CustomParser = given =>
        {
            var words = given.Tokens[0].Value.Split(',');
            if (words.FirstOrDefault(word => !pattern.IsMatch(word)) is { } odd)
            {
                given.AddError($"'{odd}' is no value for {name}.");
            }
            else if (words.Length > most)
            {
                given.AddError($"{name} takes {Text.Count(most, "value")}, not {words.Length}.");
            }
            return words;
        },
    };

    /// <summary>Both sides on this machine.</summary>
    public static Hosts None { get; } = new(null, [], "");

    /// <summary>Whether any side is on another machine.</summary>
    public bool Any => Server != null || Clients.Length > 0;

    /// <summary>The settings with the address that both sides reach the server by.</summary>
    public LaunchSettings Complete(LaunchSettings settings)
    {
        if (!Any)
        {
            return settings.ClientMachines == 1 ? settings
            : throw new Failure("--client-machines goes with --client-hosts.", Exit.WrongUsage);
        }

        if (settings.Trace)
        {
            throw new Failure("--trace works on this machine alone.", Exit.WrongUsage);
        }
        if (Clients.Length > settings.Clients)
        {
            throw new Failure("--client-hosts must not be more than --clients.", Exit.WrongUsage);
        }
        if (settings.RoomFault(settings.Clients / Math.Max(1, Clients.Length)) is { } fault)
        {
            throw new Failure($"--{fault.Replace('_', '-')}", Exit.WrongUsage);
        }
        var address = Address.Resolve(settings.Address);
        if (System.Net.IPAddress.IsLoopback(address))
        {
            string server = Server ?? throw new Failure(NoAddress, Exit.WrongUsage);
            address = Address.Resolve(server.Split('@')[^1].Trim('[', ']'));
        }
        return settings with { Address = address.ToString(), ClientMachines = Math.Max(1, Clients.Length) };
    }

    /// <summary>The words that run a verb of the runner on a host.</summary>
    public string[] CommandOn(string host, IEnumerable<string> words)
    {
        // Ctrl-C goes to all at the terminal, but ssh must live to bring what was measured so far.
        string[] deaf = OperatingSystem.IsWindows() ? [] : ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"];
        return [.. deaf, "ssh", "-T", .. options, "--", host.Replace("[", "").Replace("]", ""),
            "dotnet", $"{Folder}/runner/runner.dll", .. words];
    }

    /// <summary>Each host once.</summary>
    public string[] All => [.. Clients.Prepend(Server).OfType<string>().Distinct()];

    /// <summary>A machine of a sweep: what it runs, which share of the clients, and its facts.</summary>
    public sealed record MachineOfSide(string Role, int? Share, JObject Facts);

    /// <summary>The server's side, then that of each machine of the clients.</summary>
    /// <param name="here">Facts of this machine, which is that of a side without a host.</param>
    public MachineOfSide[] Machines(JObject here)
    {
        (string? Host, string Role, int? Share)[] sides = [(Server, "server", null),
            .. Clients.DefaultIfEmpty().Select((host, share) => (host, "clients", (int?)share))];
        return AtOnce(sides, side => new MachineOfSide(side.Role, side.Share,
            side.Host == null ? here : FactsOf(side.Host, here)));
    }

    JObject FactsOf(string host, JObject here)
    {
        var (exitCode, output, error) = Ssh(host, $"dotnet {Folder}/runner/runner.dll machine");
        if (exitCode != 0)
        {
            throw new Failure($"{host} does not tell what machine it is: {Reason(error, exitCode)}");
        }
        try
        {
            // The last line, because a shell's start-up file may have said something before.
            var facts = JObject.Parse(output.TrimEnd().Split('\n')[^1]);
            // What it runs was built here.
            return new(here.Properties().Select(fact => new JProperty(fact.Name,
                fact.Name is "suite_commit" or "suite_dirty" ? fact.Value : facts[fact.Name]
                    ?? throw new Failure($"{host} does not tell what machine it is: deploy to it again."))));
        }
        catch (Newtonsoft.Json.JsonReaderException)
        {
            throw new Failure($"{host} does not tell what machine it is: deploy to it again.");
        }
    }

    /// <summary>Runs a command of a host's shell to its end.</summary>
    public static Ended Ssh(string host, string command) =>
        Child.Run(["ssh", .. options, "--", host.Replace("[", "").Replace("]", ""), command]);

    /// <summary>Copies folders in a local folder to a folder of a host.</summary>
    public static Ended Scp(string from, string[] folders, string host, string to)
    {
        // Colons also end the host: an IPv6 address stands in brackets.
        var at = host.LastIndexOf('@') + 1;
        if (host[at..].Contains(':') && host[at] != '[')
        {
            host = $"{host[..at]}[{host[at..]}]";
        }
        return Child.Run(["scp", "-r", "-q", .. options, "--", .. folders, $"{host}:{to}"], folder: from);
    }

    /// <summary>Why a program failed, as it said: ssh itself ends with its reason, others begin with it.
    /// </summary>
    public static string Reason(string error, int exitCode)
    {
        var lines = error.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return lines.Length == 0 ? $"exit code {exitCode}."
            : lines[exitCode == Side.SshFailed ? ^1 : 0].TrimEnd('.') + ".";
    }

    /// <summary>Does the same for each at the same time; where some fail, the first's failure counts.
    /// </summary>
    public static TOut[] AtOnce<T, TOut>(T[] all, Func<T, TOut> work)
    {
        var tasks = all.Select(one => Task.Factory.StartNew(() => work(one), TaskCreationOptions.LongRunning))
            .ToArray();
        try
        {
            return Task.WhenAll(tasks).GetAwaiter().GetResult();
        }
        catch (Failure)
        {
            throw tasks.First(task => task.IsFaulted).Exception!.InnerException!;
        }
    }

    // Nothing in them can be an option or a word of a shell.
    [GeneratedRegex(@"^(?!-)([A-Za-z0-9._-]+@)?(?!-)[A-Za-z0-9.:_\[\]-]+\z")]
    private static partial Regex HostPattern();

    [GeneratedRegex(@"^(?!-)(?!.*\.\.)[A-Za-z0-9._/-]+\z")]
    private static partial Regex FolderPattern();
}
