using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

/// <summary>A script's calls of runner and report are done by workers, because starting a process takes many times as
/// long; see ask-worker.bash. `runner run` is not: it must hear Ctrl-C and the end of its script.</summary>
static class WarmTools
{
    // No exit code of the tools: no test may take it for a refusal.
    const int NotDone = 125;

    // As long as tests wait for the scripts that build.
    const double MostSeconds = 600;

    static readonly Lazy<int> port = new(Listen);

    static readonly Lazy<string> version = new(AskForVersion);

    // Others on this machine can reach the port, too.
    static readonly string key = $"{Guid.NewGuid():N}";

    /// <summary>The first lines of a script of sh that stands for `dotnet` in a copy of the suite. A worker remembers
    /// what a bench has said of itself: no test may change a bench between two calls.</summary>
    public static string ShellLines => $$"""
        ask() { exec bash '{{Repo.PathOf("tests", "Tools", "ask-worker.bash")}}' {{port.Value}} {{key}} "$@"; }
        case "$1 $2" in
            "--version ") echo '{{version.Value}}'; exit ;;
            "runner/bin/Release/runner.dll run") ;;
            "runner/bin/Release/runner.dll sweep") ask no-stdin "$@" ;;
            "runner/bin/Release/runner.dll "*) ask stdin "$@" ;;
            "report/bin/Release/report.dll render") ask no-stdin "$@" ;;
        esac
        """;

    static int Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        StartThread(() => Serve(listener));
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    static void Serve(TcpListener listener)
    {
        while (true)
        {
            var asking = listener.AcceptTcpClient();
            StartThread(() => Answer(asking));
        }
    }

    static void StartThread(Action work) => new Thread(() => work()) { IsBackground = true }.Start();

    static void Answer(TcpClient asking)
    {
        using (asking)
        {
            try
            {
                var stream = asking.GetStream();
                // A word is read byte by byte, and the system is not asked for each.
                var words = new BufferedStream(stream);
                if (ReadWord(words) != key)
                {
                    return;
                }
                var ended = Work(words);
                var output = Encoding.UTF8.GetBytes(TextOf(ended.Out));
                stream.Write(Encoding.UTF8.GetBytes($"{ended.ExitCode} {output.Length}\n"));
                stream.Write(output);
                stream.Write(Encoding.UTF8.GetBytes(TextOf(ended.Error)));
            }
            catch (IOException)
            {
                // The script was killed.
            }
        }
    }

    static Ended Work(Stream asking)
    {
        var folder = ReadWord(asking);
        var input = ReadWord(asking);
        var words = new string[int.Parse(ReadWord(asking), CultureInfo.InvariantCulture)];
        for (var word = 0; word < words.Length; word++)
        {
            words[word] = ReadWord(asking);
        }
        try
        {
            return Worker.RunWithin(MostSeconds, Path.Combine(folder, words[0]), folder, input, words[1..]);
        }
        catch (Exception fault)
        {
            // In the words by which tests know a crash.
            return new(NotDone, [], [$"Unhandled exception: {fault.Message}"], 0);
        }
    }

    // Up to the zero byte behind it.
    static string ReadWord(Stream stream)
    {
        List<byte> word = [];
        while (true)
        {
            switch (stream.ReadByte())
            {
                case -1:
                    throw new EndOfStreamException();
                case 0:
                    return Encoding.UTF8.GetString([.. word]);
                case var letter:
                    word.Add((byte)letter);
                    break;
            }
        }
    }

    static string TextOf(string[] lines) => string.Concat(lines.Select(line => $"{line}\n"));

    static string AskForVersion()
    {
        using var asked = Command.Start("dotnet", "--version");
        return asked.Wait().WithCode(0).Out[0];
    }
}
