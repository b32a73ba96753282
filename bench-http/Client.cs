using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;

/// <summary>The clients: an HttpClient with connections of its own each. A call is timed from just before it is made to
/// just after its result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly HttpClient[] clients = new HttpClient[load.Clients];

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            while (load.TryBegin(out int slot))
            {
                _ = Call(slot);
            }
            load.Pause();
        }
        Array.ForEach(clients, client => client.Dispose());
    }

    // A connection is made by its first call.
    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            clients[client] = New();
            long calledAt = Stopwatch.GetTimestamp();
            Hello? hello = await SayHello(clients[client], Calls.FirstHello);
            if (client == 0)
            {
                Greeting.TakeReply(hello!.Name, calledAt, settings);
            }
            load.AddConnected();
        }
    }

    HttpClient New()
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        return new HttpClient(handler)
        {
            BaseAddress = new Uri($"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}/"),
            DefaultRequestVersion = settings.Variant switch
            {
                "h2" => HttpVersion.Version20,
                Http3.Variant => HttpVersion.Version30,
                _ => HttpVersion.Version11,
            },
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(int slot)
    {
        HttpClient client = clients[load.ClientOf(slot)];
        bool continues;
        do
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(load, slot);
                        int sum = await client.GetFromJsonAsync($"sum?a={a}&b={b}", Json.Default.Int32);
                        isRight = Calls.IsRight(load, slot, sum);
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.GetFromJsonAsync("user?id=1", Json.Default.User));
                        break;
                    default:
                        isRight = Calls.IsRight(await SayHello(client, Calls.Hello));
                        break;
                }
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                continues = load.Fail(slot, WordFor(fault));
            }
        }
        while (continues);
    }

    // The status or, where the server has said none, what went wrong.
    static string WordFor(Exception fault)
    {
        return fault is HttpRequestException http
            ? http.StatusCode?.ToString() ?? http.HttpRequestError.ToString()
            : fault.GetType().Name;
    }

    // What HttpClient does by itself for GET: to send JSON, to check the status, to read JSON.
    static async Task<Hello?> SayHello(HttpClient client, Hello hello)
    {
        var call = new HelloRequest(hello);
        using HttpResponseMessage response = await client.PostAsJsonAsync("hello", call, Json.Default.HelloRequest);
        HttpContent content = response.EnsureSuccessStatusCode().Content;
        HelloReply? reply = await content.ReadFromJsonAsync(Json.Default.HelloReply);
        return reply?.Response;
    }
}
