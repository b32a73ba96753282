/// <summary>The verbs that lead processes.</summary>
static class Program
{
    static int Main(string[] args) => CommandLine.Do(
        "runner",
        "Starts, leads and watches the processes of runs and sweeps.",
        [.. RunVerbs.All, .. SweepVerbs.All, .. MachineVerbs.All, LinkVerb.Verb, DocumentsVerb.Verb],
        args);
}
