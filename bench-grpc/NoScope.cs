using Microsoft.AspNetCore.Http.Features;

/// <summary>Gives every request the same services, in place of a scope for each.</summary>
sealed class NoScope(IServiceProvider services) : IServiceProvidersFeature
{
    public IServiceProvider RequestServices { get; set; } = services;
}
