using System.Text;

/// <summary>Keeps what the library says on stdout off it, which is for records.</summary>
static class Containment
{
    // Lets JSON lines through and nothing else.
    sealed class RecordsAlone(TextWriter stdout, bool endsProcess) : TextWriter
    {
        public override Encoding Encoding => stdout.Encoding;

        public override void WriteLine(string? line)
        {
            if (line?.StartsWith('{') != true)
            {
                return;
            }
            stdout.WriteLine(line);
            if (endsProcess && line.Contains(LastRecord, StringComparison.Ordinal))
            {
                Environment.Exit(0);
            }
        }
    }

    const string LastRecord = "\"record\":\"closed\"";

    static bool isContained;

    /// <summary>Does so from now on. The library's reliable UDP has a thread that would keep the process alive: there
    /// it ends with the last record.</summary>
    public static void Contain(Settings settings)
    {
        if (!isContained)
        {
            isContained = true;
            Console.SetOut(new RecordsAlone(Console.Out, settings.Variant == Library.Rudp));
        }
    }
}
