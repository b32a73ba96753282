using System.Diagnostics;

/// <summary>How the clients of one load join the server's rooms, leave them and join again: each says so in a message,
/// and the server sends back the one that joins. The thread that paces sends these; any thread may take an answer. And
/// what becomes of clients that do not read.</summary>
sealed class Joining
{
    // What a client is.
    const int Away = 0;
    const int Connected = 1;
    const int Joined = 2;

    // Sent before a thread looks at its connections again.
    const int MostInPass = 64;
    const int RepeatsASecond = 20;

    readonly Settings settings;
    readonly Load load;
    readonly RoomPlan plan;
    readonly bool isRepeated;
    readonly int[] states;
    // Of a client that has left: when.
    readonly long[] leftAt;
    volatile bool hasMore = true;
    int awaited;
    int next;
    int sentInPass;
    long repeatAt;
    long churnAt;
    int nextChurner;

    public Joining(Settings settings, Load load)
    {
        this.settings = settings;
        this.load = load;
        plan = new RoomPlan(settings);
        states = new int[load.Clients];
        Array.Fill(states, Connected);
        leftAt = new long[load.Clients];
        awaited = load.Clients;
        isRepeated = settings.Delivery == "unreliable";
        KeepThreadsForOthers();
    }

    /// <summary>Begins a pass, in which clients may join.</summary>
    public void BeginPass()
    {
        sentInPass = 0;
        bool isRepeatDue = isRepeated && Volatile.Read(ref awaited) > 0 && Stopwatch.GetTimestamp() >= repeatAt;
        if (hasMore || isRepeatDue)
        {
            hasMore = false;
            next = 0;
            repeatAt = Stopwatch.GetTimestamp() + Stopwatch.Frequency / RepeatsASecond;
        }
    }

    /// <summary>The next message by which a client joins, written into a buffer; returns its length, 0 for none.
    /// </summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        while (Volatile.Read(ref awaited) > 0 && next < load.Clients && sentInPass < MostInPass)
        {
            client = next;
            next++;
            if (Volatile.Read(ref states[client]) == Connected)
            {
                sentInPass++;
                load.NoteAction();
                return Write(buffer, client, Message.Joining);
            }
        }
        return 0;
    }

    /// <summary>Whether a message is the server's answer to a client that joins.</summary>
    public static bool IsReply(ReadOnlySpan<byte> message)
    {
        return Message.IsAboutRoom(message)
            && Message.Read(message, out bool isIntact).Slot == Message.Joining
            && isIntact;
    }

    /// <summary>Takes the server's answer to a client that joins.</summary>
    public void OnReply(int client, long now)
    {
        if (Interlocked.CompareExchange(ref states[client], Joined, Connected) != Connected)
        {
            return;
        }
        Interlocked.Decrement(ref awaited);
        if (leftAt[client] == 0)
        {
            load.AddJoined();
        }
        else
        {
            Window.Own.Of(Window.Has(leftAt[client])).JoinTimes.Add(Window.Ns(now - leftAt[client]));
            load.AddBack();
        }
    }

    /// <summary>Whether a client, from 0 in this load, reads nothing just now.</summary>
    public bool IsStalled(int client) => plan.IsStalled(load.FirstClient + client) && Window.IsOpen;

    /// <summary>Holds up the library's thread that brings a client what came, while that client reads
    /// nothing.</summary>
    public void WaitWhileStalled(int client)
    {
        while (IsStalled(client))
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>Takes that a connection has ended unasked. True where the client is one that stops reading, which a
    /// library may well end: that is counted, and the client stays away. Else it is a fault.</summary>
    public bool TryLose(int client)
    {
        if (!plan.IsStalled(load.FirstClient + client))
        {
            return false;
        }
        Window.Own.Of(Window.Has(Stopwatch.GetTimestamp())).ConnectionsLost++;
        return true;
    }

    /// <summary>The client, from 0 in this load, that leaves now; false: none does. The caller sends the message that
    /// is written into the buffer, closes the client's connection, opens another and calls JoinAgain when that is
    /// there. For the thread that paces.</summary>
    public bool TryLeave(Span<byte> buffer, out int client)
    {
        client = 0;
        if (plan.Churners == 0 || !load.IsStarted || load.IsDraining)
        {
            churnAt = 0;
            return false;
        }
        long now = Stopwatch.GetTimestamp();
        churnAt = churnAt == 0 ? now : churnAt;
        if (now < churnAt)
        {
            return false;
        }
        churnAt += Stopwatch.Frequency / settings.Churn;
        client = plan.FirstChurner + nextChurner - load.FirstClient;
        nextChurner = (nextChurner + 1) % plan.Churners;
        // That of another load is left to it, and one that has not joined again yet stays away.
        if ((uint)client >= (uint)load.Clients || Volatile.Read(ref states[client]) != Joined)
        {
            return false;
        }
        leftAt[client] = now;
        load.AddAway();
        Volatile.Write(ref states[client], Away);
        Window.Own.Of(Window.Has(now)).Leaves++;
        Write(buffer, client, Message.Leaving);
        return true;
    }

    /// <summary>Lets a client that has left join again, as it is connected again; any thread may call it.</summary>
    public void JoinAgain(int client)
    {
        Volatile.Write(ref states[client], Connected);
        Interlocked.Increment(ref awaited);
        hasMore = true;
    }

    int Write(Span<byte> buffer, int client, int what)
    {
        var header = new Header { Client = load.FirstClient + client, Slot = what, Sequence = 1 };
        Message.Write(buffer, Message.HeaderAlone, header);
        return Message.HeaderBytes;
    }

    // Where a library calls back on threads of the pool, each client that does not read holds one.
    void KeepThreadsForOthers()
    {
        if (settings.StalledClients > 0)
        {
            ThreadPool.GetMinThreads(out int workers, out int completions);
            int least = Environment.ProcessorCount + settings.StalledClients;
            ThreadPool.SetMinThreads(Math.Max(workers, least), completions);
        }
    }
}
