using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

/// <summary>Lets workers do what a script has runner and report do, as to start them takes many times as long; see
/// ask-worker.bash. What is to hear Ctrl-C, or that its script has ended, is no such thing: `runner run`.</summary>
static class WarmTools
{
    static readonly Lazy<int> port = new(Listen);

    static readonly Lazy<string> version = new(AskForVersion);

    /// <summary>Lines of sh that a `dotnet` begins with which is called in a copy of the suite.</summary>
    public static string Lines => $$"""
        ask() { exec bash '{{Repo.PathOf("tests", "Tools", "ask-worker.bash")}}' {{port.Value}} "$@"; }
        case "$1 $2" in
            "--version ") echo '{{version.Value}}'; exit ;;
            "runner/bin/Release/runner.dll run") ;;
            "runner/bin/Release/runner.dll sweep") ask no "$@" ;;
            "runner/bin/Release/runner.dll "*) ask yes "$@" ;;
            "report/bin/Release/report.dll render") ask no "$@" ;;
        esac
        """;

    static int Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _ = Serve(listener);
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    static async Task Serve(TcpListener listener)
    {
        while (true)
        {
            var asking = await listener.AcceptTcpClientAsync();
            new Thread(() => Answer(asking)) { IsBackground = true }.Start();
        }
    }

    static void Answer(TcpClient asking)
    {
        using (asking)
        {
            try
            {
                var stream = asking.GetStream();
                var ended = Work(stream);
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
        var input = ReadWord(asking).Split('\n');
        var words = new string[int.Parse(ReadWord(asking), CultureInfo.InvariantCulture)];
        for (var word = 0; word < words.Length; word++)
        {
            words[word] = ReadWord(asking);
        }
        try
        {
            return Worker.Run(Path.Combine(folder, words[0]), folder, input, words[1..]);
        }
        catch (Xunit.Sdk.XunitException fault)
        {
            return new(1, [], [fault.Message], 0);
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
