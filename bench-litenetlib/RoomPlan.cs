/// <summary>Which clients share a room, and which stand apart. A room lies within one client machine; the last one of a
/// machine has what is left. The last clients of all stand apart: those that stop reading while a window is open, and
/// behind them those that leave and join. They send nothing, and nobody waits for what they receive.</summary>
sealed class RoomPlan(Settings settings)
{
    // So each that leaves and joins stays for about two seconds.
    const int ChurnersPerJoin = 2;

    /// <summary>How many clients leave and join, in turn.</summary>
    public int Churners { get; } = settings.Churn * ChurnersPerJoin;

    /// <summary>The first of the clients that stand apart.</summary>
    public int FirstApart => settings.Clients - settings.StalledClients - Churners;

    /// <summary>The first of the clients that leave and join.</summary>
    public int FirstChurner => settings.Clients - Churners;

    /// <summary>Whether a client stops reading while a window is open.</summary>
    public bool IsStalled(int client) => client >= FirstApart && client < FirstChurner;

    /// <summary>The first client of a client's room.</summary>
    public int FirstOf(int client)
    {
        (int first, int end) = MachineOf(client);
        return settings.Room == 0 ? first : first + (client - first) / SizeIn(first, end) * SizeIn(first, end);
    }

    /// <summary>How many clients a client's room has.</summary>
    public int SizeOf(int client)
    {
        (int first, int end) = MachineOf(client);
        return Math.Min(SizeIn(first, end), end - FirstOf(client));
    }

    /// <summary>How many of them do not stand apart.</summary>
    public int PresentWith(int client)
    {
        int first = FirstOf(client);
        return Math.Clamp(FirstApart - first, 0, SizeOf(client));
    }

    /// <summary>The most clients that a room has, on whichever machine.</summary>
    public int MostInRoom => settings.Room > 0
        ? settings.Room
        : (settings.Clients + settings.ClientMachines - 1) / settings.ClientMachines;

    int SizeIn(int first, int end) => settings.Room == 0 ? end - first : settings.Room;

    // The clients of a machine, from the first to before the end.
    (int First, int End) MachineOf(int client)
    {
        long machine = (((long)client + 1) * settings.ClientMachines - 1) / settings.Clients;
        return (First(machine), First(machine + 1));
    }

    int First(long machine) => (int)(settings.Clients * machine / settings.ClientMachines);
}
