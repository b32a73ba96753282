/// <summary>Tests over several machines, reached by ssh: here network namespaces of this one.</summary>
[Collection(Namespaces.Name)]
public abstract class OnMachines : IDisposable
{
    /// <summary>The addresses of the hosts.</summary>
    protected static readonly string[] hosts = [Namespaces.Server, Namespaces.ClientA, Namespaces.ClientB];

    private protected readonly Namespaces machines;
    private protected readonly Scratch scratch = new();

    protected OnMachines(Namespaces machines)
    {
        Assert.SkipWhen(machines.Missing != null, machines.Missing ?? "");
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        this.machines = machines;
    }

    public void Dispose() => scratch.Dispose();
}
