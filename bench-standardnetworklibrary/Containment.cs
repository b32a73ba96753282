using System.Runtime.CompilerServices;
using System.Text;

/// <summary>Keeps off this process what the library would do to it.</summary>
static class Containment
{
    static bool isContained;

    /// <summary>Keeps what the library says on stdout off it, which is for records. Its reliable UDP has a thread that
    /// would keep the process alive: where there is one, the process ends when its main thread has ended.</summary>
    public static void Contain(Settings settings, Thread main)
    {
        if (Interlocked.Exchange(ref isContained, true))
        {
            return;
        }
        Console.SetOut(new RecordsAlone(Console.Out));
        if (settings.Variant != Library.Rudp)
        {
            return;
        }
        // Its timer's class starts that thread.
        RuntimeHelpers.RunClassConstructor(typeof(NetworkLibrary.UDP.Reliable.Components.Timer).TypeHandle);
        var watcher = new Thread(() => EndWith(main)) { IsBackground = true };
        watcher.Start();
    }

    static void EndWith(Thread main)
    {
        while (main.IsAlive)
        {
            Thread.Sleep(1);
        }
        Environment.Exit(Program.Done);
    }

    // Lets JSON lines through and nothing else.
    sealed class RecordsAlone(TextWriter stdout) : TextWriter
    {
        public override Encoding Encoding => stdout.Encoding;

        public override void WriteLine(string? line)
        {
            if (line?.StartsWith('{') == true)
            {
                stdout.WriteLine(line);
            }
        }
    }
}
