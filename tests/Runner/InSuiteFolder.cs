/// <summary>Tests of runner that have a folder of the suite of their own.</summary>
public abstract class InSuiteFolder : IDisposable
{
    private protected readonly SuiteFolder suite = new();

    public void Dispose() => suite.Dispose();
}
