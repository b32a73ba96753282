using System.Net;
using System.Net.WebSockets;
using Newtonsoft.Json.Linq;

/// <summary>What clients make of servers that answer wrongly, late or not at all, and servers of what is no call: on the two benches that
/// every machine has, as Calls.cs is the same in all.</summary>
public sealed class CallFaultTests
{
    const string Http = "bench-http", WebSocket = "bench-websocket";

    [Fact]
    public void A_wrong_value_is_no_answer()
    {
        var slice = Against((call, response) => Write(response, "17"));
        Assert.Equal((long)slice["sent"]!, Record.Sum(slice, "corrupt"));
        Assert.True(Record.Sum(slice, "corrupt") > 0);
    }

    [Fact]
    public void A_failure_is_counted_by_its_kind()
    {
        var slice = Against((call, response) =>
        {
            response.StatusCode = 503;
            response.Close();
        });
        Assert.Equal((long)slice["sent"]!, Record.Sum(slice, "failed"));
        Assert.Equal((long)slice["sent"]!, (long)slice["outcomes"]!["failures"]!["ServiceUnavailable"]!);
    }

    [Fact]
    public void A_call_that_is_never_answered_times_out()
    {
        var slice = Against((call, response) => { });
        Assert.Equal(4, (long)slice["sent"]!);
        Assert.Equal(4, Record.Sum(slice, "timed_out"));
    }

    [Fact]
    public void A_server_that_stops_answering_fails_the_run()
    {
        using var scratch = new Scratch();
        using var run = Bench.StartLed(Http, "--work", "sum", "--clients", "2", "--warmup-seconds", "0", "--seconds", "4", "--out", scratch.PathOf("raw.jsonl"));
        Command.Until(() => Record.In(scratch.PathOf("raw.jsonl")).Length >= 2, 15);
        Command.Send(Bench.ChildrenOf(run.Id)["server"], Command.Suspend); // for good: no call is answered any more
        var ended = run.Wait(90).WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Contains(Record.In(scratch.PathOf("raw.jsonl")), record => (string?)record["kind"] == "failed");
    }

    [Theory, InlineData("h1", "h2"), InlineData("h2", "h1")]
    public void A_port_that_speaks_another_protocol_is_told(string served, string spoken)
    {
        var (server, port) = Bench.StartServer(Http, "--variant", served);
        using (server) Bench.Run(Http, "client", "--port", port, "--variant", spoken).Failure();
    }

    [Fact]
    public void Another_library_or_work_than_the_server_has_is_told()
    {
        var (server, port) = Bench.StartServer(WebSocket, "--work", "sum");
        using var _ = server;
        Assert.Contains("runs with other settings", (string?)Bench.Run(WebSocket, "client", "--port", port, "--work", "get-user").Failure()["reason"]);
        Bench.Run(Http, "client", "--port", port).Failure();
    }

    [Fact]
    public async Task Messages_that_are_too_large_or_no_calls_end_their_connection_alone()
    {
        var (server, port) = Bench.StartServer(WebSocket);
        using var _ = server;
        foreach (var bytes in new[] { 17 << 20, 3, 6 })
        {
            using var socket = new ClientWebSocket();
            await socket.ConnectAsync(new($"ws://127.0.0.1:{port}/"), TestContext.Current.CancellationToken);
            await Assert.ThrowsAnyAsync<WebSocketException>(async () =>
            {
                await socket.SendAsync(Enumerable.Repeat((byte)9, bytes).ToArray(), WebSocketMessageType.Binary, true, TestContext.Current.CancellationToken);
                await socket.ReceiveAsync(new byte[100], TestContext.Current.CancellationToken);
            });
        }
        Record.AssertAddsUp(Record.Single(Bench.Run(WebSocket, "client", "--port", port, "--seconds", "1").WithCode(0).Records, "slice"));
    }

    // By hand for a second, two clients of two lanes each.
    static JObject Against(Action<HttpListenerRequest, HttpListenerResponse> answer)
    {
        var port = Bench.FreePort();
        using var server = new HttpListener { Prefixes = { $"http://127.0.0.1:{port}/" } };
        server.Start();
        _ = Task.Run(() =>
        {
            while (server.IsListening)
            {
                var context = server.GetContext();
                if (context.Request.HttpMethod == "POST") Greet(context);
                else answer(context.Request, context.Response);
            }
        }, TestContext.Current.CancellationToken);
        using var client = Bench.Start(Http, ["client", "--port", port, "--work", "sum", .. Bench.ByHand]);
        var slice = Record.Single(client.Wait(40).WithCode(0).Records, "slice");
        Record.AssertAddsUp(slice);
        Assert.Equal(0, Record.Sum(slice, "received", "completed"));
        return slice;
    }

    // As a server of the bench answers a hello.
    static void Greet(HttpListenerContext context)
    {
        var hello = JObject.Parse(new StreamReader(context.Request.InputStream).ReadToEnd())["request"]!;
        hello["name"] = ((string)hello["name"]!).Replace("client", "server");
        Write(context.Response, new JObject { ["response"] = hello }.ToString());
    }

    static void Write(HttpListenerResponse response, string json)
    {
        response.ContentType = "application/json";
        response.Close(System.Text.Encoding.UTF8.GetBytes(json), willBlock: true);
    }
}
