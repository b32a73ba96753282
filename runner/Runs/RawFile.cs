using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Where the records of a run go: a file that they are appended to, else stdout.</summary>
sealed class RawFile : IDisposable
{
    TextWriter output;

    /// <summary>Opens it; null: stdout. A file that cannot be written fails in a sentence.</summary>
    public RawFile(string? path)
    {
        try
        {
            output = path == null ? Console.Out : RecordFile.Append(path);
            if (output is StreamWriter file)
            {
                file.AutoFlush = true;
            }
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            throw new Failure($"'{path}' cannot be written: {fault.Message}", Exit.OutputFailed);
        }
    }

    RawFile(TextWriter output) => this.output = output;

    /// <summary>Takes records that nobody wants.</summary>
    public static RawFile None => new(TextWriter.Null);

    /// <summary>True once the file took no more records.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Writes one record as a line; when the file takes no more, to stdout instead.</summary>
    public void Write(JObject record)
    {
        var line = record.ToString(Formatting.None);
        try
        {
            output.WriteLine(line);
        }
        catch (IOException fault) when (output != Console.Out)
        {
            Console.Error.WriteLine($"The records go to stdout from here: {fault.Message}");
            IsFull = true;
            output = Console.Out;
            output.WriteLine(line);
        }
    }

    public void Dispose()
    {
        if (output != Console.Out)
        {
            output.Dispose();
        }
    }
}
