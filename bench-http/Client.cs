using System.Net;
using System.Net.Http.Json;

/// <summary>The clients: an HttpClient with connections of its own each. A call is timed from just before it is made to
/// just after its result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Hello hello = Calls.NewHello(settings);
    readonly HttpClient[] clients = new HttpClient[settings.Clients];

    /// <summary>Opens all connections: each client's first call makes its own.</summary>
    public void Connect()
    {
        for (int index = 0; index < clients.Length; index++)
        {
            clients[index] = New();
            load.OnOpen(index);
        }
    }

    /// <summary>Makes a call, and the next ones of its slot.</summary>
    public void Begin(Due due) => _ = Call(due);

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close() => Array.ForEach(clients, client => client.Dispose());

    HttpClient New()
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        return new HttpClient(handler)
        {
            BaseAddress = new Uri($"{scheme}://{settings.Endpoint}/"),
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
    async Task Call(Due due)
    {
        HttpClient client = clients[due.Index];
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        int sum = await client.GetFromJsonAsync($"sum?a={a}&b={b}", Json.Default.Int32);
                        isRight = Calls.IsRight(due, sum);
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.GetFromJsonAsync("user?id=1", Json.Default.User));
                        break;
                    default:
                        isRight = Calls.IsRight(await SayHello(client), hello);
                        break;
                }
                due = load.EndCall(due, isRight);
            }
            catch (Exception fault)
            {
                load.FailCall(due, WordFor(fault), fault);
                return;
            }
        }
    }

    // The status or, where the server has said none, what went wrong.
    static string WordFor(Exception fault)
    {
        return fault is HttpRequestException http
            ? http.StatusCode?.ToString() ?? http.HttpRequestError.ToString()
            : fault.GetType().Name;
    }

    // What HttpClient does by itself for GET: to send JSON, to check the status, to read JSON.
    async Task<Hello?> SayHello(HttpClient client)
    {
        var call = new HelloRequest(hello);
        using HttpResponseMessage response = await client.PostAsJsonAsync("hello", call, Json.Default.HelloRequest);
        HttpContent content = response.EnsureSuccessStatusCode().Content;
        HelloReply? reply = await content.ReadFromJsonAsync(Json.Default.HelloReply);
        return reply?.Response;
    }
}
