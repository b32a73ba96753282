using System.Text.RegularExpressions;
using System.CommandLine;
using Newtonsoft.Json;

/// <summary>The verbs that tell of machines and make hosts ready.</summary>
static class MachineVerbs
{
    public static Command[] All => [Facts(), Name(), DeployToHosts(), PinPlan()];

    static Command Facts() => Flags.Verb("machine", "Writes the facts of this machine, for a runner on another.", [],
        _ =>
        {
            Console.WriteLine(RecordFile.ToJson(Machine.Facts(".")).ToString(Formatting.None));
            return Exit.Done;
        });

    static Command Name()
    {
        var model = new Option<string>("--cpu-model")
        {
            Description = "Says the short name of that CPU instead.",
        };
        return Flags.Verb("name", "Says the machine's name for a results folder.", [model], parsed =>
        {
            Console.WriteLine(parsed.GetValue(model) is { } given ? Machine.ShortOf(given) : Machine.Name());
            return Exit.Done;
        });
    }

    static Command DeployToHosts()
    {
        var libraries = Hosts.List("--libraries", new Regex(Patterns.Member), int.MaxValue,
            "Copies bench-NAME of these alone. [default: all that are built]");
        return Flags.Verb("deploy", "Copies the executables of this folder to the hosts of a sweep.",
            [.. Hosts.Options, libraries], parsed =>
            {
                Deploy.Run(Hosts.From(parsed), parsed.GetValue(libraries)!);
                return Exit.Done;
            });
    }

    static Command PinPlan()
    {
        var folder = new Option<string>("--topology")
        {
            Description = "Where Linux tells of CPUs.",
            DefaultValueFactory = _ => Topology.Folder,
        };
        var allowed = new Option<int[]>("--allowed")
        {
            Description = "CPUs to plan with, as in 0,2-3. [default: those that this process may use]",
            CustomParser = given =>
            {
                var cpus = Pins.List(given.Tokens[0].Value);
                if (cpus == null)
                {
                    given.AddError($"'{given.Tokens[0].Value}' is no value for --allowed.");
                }
                return cpus ?? [];
            },
        };
        var link = new Option<bool>("--link")
        {
            Description = "Of a sweep over a link, whose emulator has a CPU of its own where there are three.",
        };
        var pin = Flags.Word("--pin", SweepSettings.PlannedPin, Patterns.Pin,
            "CPUs that are named; none: both sides may use all; auto: planned.");
        return Flags.Verb("pins", "Plans which CPUs server and clients are pinned to, as in 0,2/1,3.",
            [folder, allowed, link, pin], parsed =>
            {
                var cpus = parsed.GetValue(allowed) is { Length: > 0 } given ? given : null;
                var topology = new Topology(parsed.GetValue(folder)!, cpus);
                var hasLink = parsed.GetValue(link);
                var named = parsed.GetValue(pin)!;
                var sides = named switch
                {
                    SweepSettings.PlannedPin => topology.Plan(hasLink).ToString(),
                    SweepSettings.NoPin => "all/all",
                    _ => named,
                };
                if (hasLink && sides.Split('/') is [var server, var clients])
                {
                    var beside = topology.BesideLink(server, clients);
                    sides = $"{beside.Server}/{beside.Clients} link {beside.Link?.ToString() ?? "none"}";
                }
                Console.WriteLine(sides);
                return Exit.Done;
            });
    }
}
