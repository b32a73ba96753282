using Grpc.AspNetCore.Server;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Rpc;

/// <summary>What is called.</summary>
sealed class CallsService : Calls.CallsBase
{
    public override Task<SumReply> Sum(SumRequest call, ServerCallContext context) => Task.FromResult(new SumReply { Sum = Service.Sum(call.A, call.B) });

    public override Task<GetUserReply> GetUser(GetUserRequest call, ServerCallContext context) =>
        Task.FromResult(new GetUserReply { User = Service.GetUser(call.Id) == null ? null : Library.User });

    public override Task<Rpc.HelloReply> SayHello(Rpc.HelloRequest call, ServerCallContext context) => Task.FromResult(new Rpc.HelloReply
    { Response = Load.AnswerTo(call.Request.Name) is { } name ? new() { Name = name } : Records.Counted(call.Request) });
}

/// <summary>Kestrel with a gRPC service.</summary>
static class Server
{
    // Signals are the bench's own.
    sealed class NoSignals : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancelled) => Task.CompletedTask;
        public Task StopAsync(CancellationToken cancelled) => Task.CompletedTask;
    }

    // In place of a scope a request.
    sealed class NoScope(IServiceProvider services) : IServiceProvidersFeature { public IServiceProvider RequestServices { get; set; } = services; }

    static readonly ManualResetEventSlim stopping = new();

    public static void Run(Settings settings)
    {
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddGrpc();
        if (settings.Profile == "tuned")
        {
            builder.Services.Configure<GrpcServiceOptions>(grpc => grpc.IgnoreUnknownServices = true);
            builder.Services.Configure<RouteOptions>(routes => routes.SuppressCheckForUnhandledSecurityMetadata = true);
            builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.AddServerHeader = false);
            builder.Services.Configure<SocketTransportOptions>(sockets => sockets.WaitForDataBeforeAllocatingBuffer = false);
            builder.Services.AddSingleton<CallsService>();
        }
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            listen.Protocols = HttpProtocols.Http2;
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
        }));
        var app = builder.Build();
        if (settings.Profile == "tuned")
        {
            var noScope = new NoScope(app.Services);
            app.Use((context, next) =>
            {
                context.Features.Set<IServiceProvidersFeature>(noScope);
                return next(context);
            });
        }
        app.MapGrpcService<CallsService>();
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();
}
