using System.Collections.Concurrent;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A side on this machine that the runner of another leads: hands its commands on, adds what this machine
/// counts, and ends the side when that runner is silent.</summary>
sealed class LedSide(string library, string verb, string cpus, string[] words)
{
    /// <summary>In place of begin and end: what this machine counts is read, too.</summary>
    public const string Open = "open";
    public const string Close = "close";

    /// <summary>A side that has ever heard "alive" ends after this long without.</summary>
    public const int SilentSeconds = 20;

    readonly BlockingCollection<SideEvent> events = [];

    /// <summary>Leads it by the commands of a reader, to its end; returns its exit code. What keeps it from starting
    /// is told as a bench tells its faults.</summary>
    public int Lead(TextReader commands)
    {
        Side side;
        try
        {
            side = Start();
        }
        catch (Failure fault)
        {
            WriteFault(fault);
            throw;
        }
        AppDomain.CurrentDomain.ProcessExit += (_, _) => side.Dispose();
        new Thread(() => Obey(side, commands)) { IsBackground = true }.Start();
        while (events.Take() is { Record: { } record })
        {
            Write(record);
        }
        return side.ExitCode;
    }

    Side Start()
    {
        string address = Side.ValueOf(words, "--address") ?? "127.0.0.1";
        int clients = int.Parse(Side.ValueOf(words, "--clients") ?? "1");
        string[] given = words;
        if (Side.ValueOf(words, "--port") == "0")
        {
            // The runner there does not know which port is free here.
            int at = Array.IndexOf(words, "--port") + 1;
            given = [.. words[..at], $"{Address.FreePort(address)}", .. words[(at + 1)..]];
        }
        return Side.Here(verb, library, verb, cpus, given, [], (address, clients, false, 0), null, events);
    }

    void WriteFault(Failure fault)
    {
        Write(ErrorRecords.OfSide(library, verb, fault.ExitCode, fault.Message));
    }

    static void Write(JObject record)
    {
        foreach (JObject counted in new[] { record["window"], record["other"] }.OfType<JObject>())
        {
            Buckets.Unpack(counted);
        }
        Console.WriteLine(record.ToString(Formatting.None));
    }

    void Obey(Side side, TextReader commands)
    {
        using var silence = new Timer(_ => side.Say(null));
        while (commands.ReadLine() is { } command)
        {
            switch (command)
            {
                case "alive":
                    silence.Change(SilentSeconds * 1000, Timeout.Infinite);
                    break;
                case "still":
                    StandStill(side);
                    break;
                case "go on":
                    side.GoOn();
                    break;
                case Open:
                    side.LookBefore();
                    side.Say(Open);
                    break;
                case Close:
                    side.Say(Close);
                    side.LookAfter();
                    break;
                default:
                    side.Say(command);
                    break;
            }
        }
        side.Say(null);
    }

    void StandStill(Side side)
    {
        try
        {
            side.StandStill();
        }
        catch (Failure fault)
        {
            WriteFault(fault);
        }
    }
}
