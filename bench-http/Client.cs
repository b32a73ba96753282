using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;

/// <summary>The clients: an HttpClient with connections of its own each.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly HttpClient[] clients = new HttpClient[settings.OwnClients];

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
        Array.ForEach(clients, client => client.Dispose());
    }

    // A connection is made by its first call.
    async Task Connect()
    {
        for (var client = 0; client < clients.Length; client++)
        {
            var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = Tls.OfClient(settings) };
            clients[client] = new(handler)
            {
                BaseAddress = new($"{(settings.Security == "tls" ? "https" : "http")}://{Program.Resolve(settings.Address)}:{settings.Port}/"),
                DefaultRequestVersion = settings.Variant == "h2" ? HttpVersion.Version20 : HttpVersion.Version11,
                DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
            };
            var calledAt = Stopwatch.GetTimestamp();
            var hello = await SayHello(clients[client], Load.First);
            if (client == 0) Load.OnFirst(hello!.Name, calledAt);
            load.Connected++;
        }
    }

    async Task Call(int lane)
    {
        var (client, again) = (clients[load.ClientOf(lane)], true);
        while (again)
            try
            {
                if (settings.Work == "sum")
                {
                    var (a, b) = load.Terms(lane);
                    again = load.OnSum(lane, await client.GetFromJsonAsync($"sum?a={a}&b={b}", Json.Default.Int32));
                }
                else if (settings.Work == "get-user") again = load.OnUser(lane, await client.GetFromJsonAsync("user?id=1", Json.Default.User));
                else again = load.OnHello(lane, await SayHello(client, Load.Hello));
            }
            catch (Exception fault) when (fault is HttpRequestException or IOException or System.Text.Json.JsonException)
            {
                again = load.OnFailure(lane, fault is not HttpRequestException http ? fault.GetType().Name
                    : http.StatusCode?.ToString() ?? http.HttpRequestError.ToString());
            }
    }

    static async Task<Hello?> SayHello(HttpClient client, Hello hello)
    {
        using var response = await client.PostAsJsonAsync("hello", new HelloRequest(hello), Json.Default.HelloRequest);
        return (await response.EnsureSuccessStatusCode().Content.ReadFromJsonAsync(Json.Default.HelloReply))?.Response;
    }
}
