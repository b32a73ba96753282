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

    [Fact]
    public void A_wrong_value_is_no_answer()
    {
        var counted = Against((_, response) => Write(response, "17"));
        Assert.Equal((int)counted["sent"]!, Record.Sum(counted, "corrupt"));
        Assert.Equal(0, Record.Sum(counted, "received", "completed"));
    }

    [Fact]
    public void A_failure_is_counted_by_its_kind()
    {
        var counted = Against(AfterTheFirst(Refuse));
        var failed = (int)Record.Sum(counted, "failed");
        Assert.Equal((int)counted["sent"]!, failed);
        Assert.Equal(failed, (int)counted["outcomes"]!["failures"]!["ServiceUnavailable"]!);
    }

    [Fact]
    public void Where_the_first_call_of_a_client_fails_nothing_is_measured()
    {
        using var server = Serve(Refuse, out var port);
        var reason = (string)Bench.Run(Http, "client", "--port", port).Failure()["reason"]!;
        Assert.Equal(
            $"Nothing on 127.0.0.1:{port} answers as a server of this bench: ServiceUnavailable.", reason);
    }

    [Fact]
    public void A_call_that_is_never_answered_is_lost()
    {
        var counted = Against(AfterTheFirst((_, _) => { }), "--loss-timeout-ms", "1000");
        Assert.Equal((int)counted["sent"]!, Record.Sum(counted, "lost"));
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
    public async Task Messages_that_are_too_large_or_no_calls_end_their_connection_alone_and_another_library_is_told()
    {
        var (server, port) = Bench.StartServer(WebSocket);
        using (server)
        {
            foreach (var bytes in new[] { 17 << 20, 3, 6 })
            {
                await Assert.ThrowsAnyAsync<WebSocketException>(() => SendNines(port, bytes));
            }
            Bench.Run(Http, "client", "--port", port).Failure();
            var client = Bench.Run(WebSocket, ["client", "--port", port, .. Bench.ByHand]).WithCode(0);
            Record.AssertAddsUp(Counted.ByHand(client.Records));
        }
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

    // What clients by hand count, behind their first calls.
    static JObject Against(Action<HttpListenerRequest, HttpListenerResponse> answer, params string[] flags)
    {
        using var server = Serve(answer, out var port);
        string[] load = ["--work", "sum", .. Bench.ByHand, .. flags];
        var counted = Counted.ByHand(Bench.Run(Http, ["client", "--port", port, .. load]).WithCode(0).Records);
        Record.AssertAddsUp(counted);
        Assert.True((int)counted["sent"]! > 0);
        return counted;
    }

    static HttpListener Serve(Action<HttpListenerRequest, HttpListenerResponse> answer, out string port)
    {
        port = Bench.FreePort();
        var server = new HttpListener();
        server.Prefixes.Add($"http://127.0.0.1:{port}/");
        server.Start();
        _ = Task.Run(() =>
        {
            while (server.IsListening)
            {
                var context = server.GetContext();
                answer(context.Request, context.Response);
            }
        }, TestContext.Current.CancellationToken);
        return server;
    }

    // The first calls of two clients are answered rightly, by which they are connected.
    static Action<HttpListenerRequest, HttpListenerResponse> AfterTheFirst(
        Action<HttpListenerRequest, HttpListenerResponse> answer)
    {
        var calls = 0;
        return (request, response) =>
        {
            if (++calls > 2)
            {
                answer(request, response);
                return;
            }
            var terms = new[] { "a", "b" }.Sum(name => int.Parse(request.QueryString[name]!));
            Write(response, $"{terms}");
        };
    }

    static void Refuse(HttpListenerRequest call, HttpListenerResponse response)
    {
        response.StatusCode = 503;
        response.Close();
    }

    static void Write(HttpListenerResponse response, string json)
    {
        response.ContentType = "application/json";
        response.Close(Encoding.UTF8.GetBytes(json), willBlock: true);
    }
}
