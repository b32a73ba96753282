using System.Net;
using System.Net.WebSockets;
using System.Text;
using Newtonsoft.Json.Linq;

/// <summary>What clients make of servers that answer wrongly, late or not at all, and servers of what is no call: on
/// the two benches that every machine has, as the files that count are the same in all.</summary>
public sealed class CallFaultTests
{
    const string Http = "bench-http";
    const string WebSocket = "bench-websocket";

    // Each of two clients calls three times.
    static readonly string[] few = ["--clients", "2", "--parallel", "2", "--messages", "3"];

    [Fact]
    public void A_wrong_value_is_no_answer()
    {
        var counted = Against((_, response) => Write(response, "17"), few);
        Assert.Equal((6, 6), ((int)counted["sent"]!, (int)Record.Sum(counted, "corrupt")));
    }

    // How often clients are to call is of the calls, however they end.
    [Fact]
    public void A_failure_is_counted_by_its_kind()
    {
        void Refuse(HttpListenerRequest call, HttpListenerResponse response)
        {
            response.StatusCode = 503;
            response.Close();
        }

        var counted = Against(Refuse, few);
        Assert.Equal((6, 6), ((int)counted["sent"]!, (int)Record.Sum(counted, "failed")));
        Assert.Equal(6, (int)counted["outcomes"]!["failures"]!["ServiceUnavailable"]!);
    }

    [Fact]
    public void A_call_that_is_never_answered_times_out()
    {
        var counted = Against((_, _) => { }, Bench.ByHand);
        Assert.Equal(4, (long)counted["sent"]!);
        Assert.Equal(4, Record.Sum(counted, "timed_out"));
    }

    [Fact]
    public void A_server_that_stops_answering_fails_the_run()
    {
        using var scratch = new Scratch();
        var raw = scratch.PathOf("raw.jsonl");
        string[] load = ["--work", "sum", "--clients", "2", "--rate", "200", "--warmup-seconds", "0", "--seconds", "1"];
        using var run = Bench.StartLed(Http, [.. load, "--out", raw]);
        Command.Until(() => Record.In(raw).Length >= 2);
        // For good: no call is answered any more.
        Command.Send(Bench.ChildrenOf(run.Id)["server"], Command.Suspend);
        var ended = run.Wait().WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Contains(Record.In(raw), record => (string?)record["kind"] == "failed");
    }

    [Theory, InlineData("h1", "h2"), InlineData("h2", "h1")]
    public void A_port_that_speaks_another_protocol_is_told(string served, string spoken)
    {
        var (server, port) = Bench.StartServer(Http, "--variant", served);
        using (server)
        {
            Bench.Run(Http, "client", "--port", port, "--variant", spoken).Failure();
        }
    }

    [Fact]
    public void Another_library_or_work_than_the_server_has_is_told()
    {
        var (server, port) = Bench.StartServer(WebSocket, "--work", "sum");
        using (server)
        {
            var error = Bench.Run(WebSocket, "client", "--port", port, "--work", "get-user").Failure();
            Assert.Contains("runs with other settings", (string?)error["reason"]);
            Bench.Run(Http, "client", "--port", port).Failure();
        }
    }

    [Fact]
    public async Task Messages_that_are_too_large_or_no_calls_end_their_connection_alone()
    {
        var (server, port) = Bench.StartServer(WebSocket);
        using (server)
        {
            foreach (var bytes in new[] { 17 << 20, 3, 6 })
            {
                await Assert.ThrowsAnyAsync<WebSocketException>(() => SendNines(port, bytes));
            }
            var client = Bench.Run(WebSocket, "client", "--port", port, "--messages", "5").WithCode(0);
            Record.AssertAddsUp(Counted.ByHand(client.Records));
        }
    }

    [Fact]
    public void A_name_that_does_not_resolve_is_told()
    {
        var error = Bench.Run(Http, "client", "--address", "no.such.host.invalid").Failure();
        Assert.Contains("does not resolve", (string?)error["reason"]);
    }

    [Fact]
    public void Encryption_without_a_certificate_is_wrong_usage()
    {
        var said = Bench.Run(Http, "server", "--security", "tls").WrongUsage();
        Assert.Contains("--security tls needs --certificate FILE", said);
    }

    static async Task SendNines(string port, int bytes)
    {
        var token = TestContext.Current.CancellationToken;
        using var socket = new ClientWebSocket();
        await socket.ConnectAsync(new Uri($"ws://127.0.0.1:{port}/"), token);
        var message = new byte[bytes];
        Array.Fill(message, (byte)9);
        await socket.SendAsync(message, WebSocketMessageType.Binary, true, token);
        await socket.ReceiveAsync(new byte[100], token);
    }

    // By hand.
    static JObject Against(Action<HttpListenerRequest, HttpListenerResponse> answer, params string[] load)
    {
        var port = Bench.FreePort();
        using var server = new HttpListener();
        server.Prefixes.Add($"http://127.0.0.1:{port}/");
        server.Start();
        _ = Task.Run(() => Serve(server, answer), TestContext.Current.CancellationToken);
        using var client = Bench.Start(Http, ["client", "--port", port, "--work", "sum", .. load]);
        var counted = Counted.ByHand(client.Wait().WithCode(0).Records);
        Record.AssertAddsUp(counted);
        Assert.Equal(0, Record.Sum(counted, "received", "completed"));
        return counted;
    }

    static void Serve(HttpListener server, Action<HttpListenerRequest, HttpListenerResponse> answer)
    {
        while (server.IsListening)
        {
            var context = server.GetContext();
            if (context.Request.HttpMethod == "POST")
            {
                Greet(context);
            }
            else
            {
                answer(context.Request, context.Response);
            }
        }
    }

    // As a server of the bench answers a greeting.
    static void Greet(HttpListenerContext context)
    {
        var request = JObject.Parse(new StreamReader(context.Request.InputStream).ReadToEnd());
        var hello = request["request"]!;
        hello["name"] = ((string)hello["name"]!).Replace("client", "server");
        Write(context.Response, new JObject { ["response"] = hello }.ToString());
    }

    static void Write(HttpListenerResponse response, string json)
    {
        response.ContentType = "application/json";
        response.Close(Encoding.UTF8.GetBytes(json), willBlock: true);
    }
}
