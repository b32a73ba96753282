using Microsoft.Extensions.Hosting;

/// <summary>Keeps ASP.NET from handling signals, which this executable does itself.</summary>
sealed class NoSignals : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancelled) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancelled) => Task.CompletedTask;
}
