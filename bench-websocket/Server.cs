using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a WebSocket a client: what came together is answered together.</summary>
static class Server
{
    // Signals are the bench's own.
    sealed class NoSignals : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancelled) => Task.CompletedTask;
        public Task StopAsync(CancellationToken cancelled) => Task.CompletedTask;
    }

    static readonly ManualResetEventSlim stopping = new();

    public static void Run(Settings settings)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
        }));
        var app = builder.Build();
        app.UseWebSockets();
        app.Run(Serve);
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();

    static async Task Serve(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        var wire = new Wire(socket);
        try
        {
            while (await wire.Receive(call => Answer(call, wire))) ;
        }
        catch (Exception fault) when (fault is WebSocketException or IOException or ConnectionAbortedException)
        {
            return; // the client left, or is none of this bench
        }
    }

    static void Answer(BinaryReader call, Wire wire)
    {
        var (lane, operation) = (call.ReadInt32(), (Operation)call.ReadByte());
        switch (operation)
        {
            case Operation.Sum: wire.Write(lane, operation, Service.Sum(call.ReadInt32(), call.ReadInt32()), Binary.Write); break;
            case Operation.GetUser: wire.Write(lane, operation, Service.GetUser(call.ReadInt64()), Binary.Write); break;
            case Operation.SayHello: wire.Write(lane, operation, Service.SayHello(Binary.ReadHello(call)), Binary.Write); break;
            default: throw new IOException("There is no such operation.");
        }
    }
}

/// <summary>A WebSocket whose messages hold calls or answers, one behind the other: those written while a message is read, or
/// while others are on their way, go together.</summary>
sealed class Wire
{
    const int UsualBytes = 1 << 16, MostBytes = 1 << 24;

    readonly WebSocket socket;
    readonly Lock gate = new();
    readonly MemoryStream received = new(); // as long as there is room, whatever the message
    readonly BinaryReader reader;
    BinaryWriter waiting = new(new MemoryStream(UsualBytes)), sending = new(new MemoryStream(UsualBytes));
    bool isHeld, receiverHolds;

    public Wire(WebSocket socket)
    {
        (this.socket, reader) = (socket, new(received));
        received.SetLength(UsualBytes);
    }

    /// <summary>Receives a message and reads one after another what it holds; what was written meanwhile is sent when no other
    /// message has come. False: the connection is closed. What is none of this bench's throws.</summary>
    public async ValueTask<bool> Receive(Action<BinaryReader> read)
    {
        var receive = ReceiveWhole();
        var waits = !receive.IsCompleted;
        if (waits && receiverHolds) await Send();
        receiverHolds &= !waits;
        if (await receive is var filled && filled < 0) return false;
        receiverHolds = receiverHolds || TryHold();
        for (received.Position = 0; received.Position < filled;) read(reader);
        return received.Position == filled ? true : throw new IOException("A message ends within a call.");
    }

    async ValueTask<int> ReceiveWhole()
    {
        for (var filled = 0; ;)
        {
            if (filled == MostBytes) throw new IOException($"A message exceeds {MostBytes} bytes.");
            if (filled == received.Length) received.SetLength(2 * received.Length);
            var part = await socket.ReceiveAsync(received.GetBuffer().AsMemory(filled, (int)received.Length - filled), default);
            if (part.MessageType != WebSocketMessageType.Binary) return -1;
            filled += part.Count;
            if (part.EndOfMessage) return filled;
        }
    }

    /// <summary>Writes a call or an answer behind the others; it is sent with them.</summary>
    public void Write<T>(int lane, Operation operation, T content, Action<BinaryWriter, T> write)
    {
        lock (gate)
        {
            waiting.Write(lane);
            waiting.Write((byte)operation);
            write(waiting, content);
        }
        if (TryHold()) _ = Send();
    }

    // Who holds it sends what is written until then.
    bool TryHold()
    {
        lock (gate) return !isHeld && (isHeld = true);
    }

    async Task Send()
    {
        while (true)
        {
            lock (gate)
            {
                isHeld = waiting.BaseStream.Length > 0;
                if (!isHeld) return;
                (waiting, sending) = (sending, waiting);
            }
            var stream = (MemoryStream)sending.BaseStream;
            await socket.SendAsync(stream.GetBuffer().AsMemory(0, (int)stream.Length), WebSocketMessageType.Binary, true, default);
            stream.SetLength(0);
        }
    }
}

/// <summary>How calls and answers are written: the lane's number (int32), the operation (byte), arguments or result.</summary>
enum Operation : byte { Sum, GetUser, SayHello }

/// <summary>Arguments and results as bytes, by BinaryWriter's rules.</summary>
static class Binary
{
    public static void Write(BinaryWriter to, int sum) => to.Write(sum);
    public static void Write(BinaryWriter to, long id) => to.Write(id);

    public static void Write(BinaryWriter to, (int A, int B) terms) => to.Write((long)terms.B << 32 | (uint)terms.A); // two int32

    public static void Write(BinaryWriter to, User? user)
    {
        to.Write(user != null);
        if (user == null) return;
        to.Write(user.Id);
        to.Write(user.Version);
        to.Write(user.CreatedAt.Ticks);
        to.Write(user.ModifiedAt.Ticks);
        to.Write(user.Name);
    }

    public static void Write(BinaryWriter to, Hello hello)
    {
        to.Write(hello.Name);
        to.Write(hello.D);
        to.Write(hello.F);
        to.Write(hello.B);
        to.Write(hello.N);
        to.Write(hello.L);
        to.Write(hello.C1 != null);
        if (hello.C1 != null) to.Write(hello.C1); else to.Write(hello.C2 == true);
        to.Write((byte)hello.Pets.Length);
        foreach (var pet in hello.Pets)
        {
            to.Write(pet.Name);
            to.Write((byte)pet.Color);
        }
    }

    public static User? ReadUser(BinaryReader from) => !from.ReadBoolean() ? null
        : new(from.ReadInt64(), from.ReadInt64(), new(from.ReadInt64(), DateTimeKind.Utc), new(from.ReadInt64(), DateTimeKind.Utc), from.ReadString());

    public static Hello ReadHello(BinaryReader from)
    {
        var (name, d, f, b, n, l) = (from.ReadString(), from.ReadDouble(), from.ReadSingle(), from.ReadBoolean(), from.ReadInt32(), from.ReadInt64());
        var (c1, c2) = from.ReadBoolean() ? (from.ReadString(), (bool?)null) : (null, from.ReadBoolean());
        var pets = new Pet[from.ReadByte()];
        for (var i = 0; i < pets.Length; i++) pets[i] = new(from.ReadString(), (Color)from.ReadByte());
        return new(name, d, f, b, n, l, c1, c2, pets);
    }
}
