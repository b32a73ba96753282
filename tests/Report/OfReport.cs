using Newtonsoft.Json.Linq;

/// <summary>What tests of report have: a folder of their own, and the tool, or they are skipped.</summary>
public abstract class OfReport : IDisposable
{
    private protected readonly Scratch scratch = new();

    protected OfReport() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    /// <summary>Writes records, renders them and returns the page.</summary>
    protected string Rendered(params IEnumerable<JObject> records)
    {
        MadeUp.Write(scratch.Folder, records);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        return Pages.In(scratch.Folder);
    }
}
