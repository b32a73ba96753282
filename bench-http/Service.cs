/// <summary>What a server does when it is called, on whichever thread; it counts each call and its answer.</summary>
static class Service
{
    /// <summary>Returns the sum of two numbers.</summary>
    public static int Sum(int a, int b)
    {
        Count();
        return a + b;
    }

    /// <summary>Returns the same user for every positive id, and null for the others.</summary>
    public static User? GetUser(long id)
    {
        Count();
        return id > 0 ? Calls.User : null;
    }

    /// <summary>Returns what it was given; of a greeting the answer to it, which is not counted.</summary>
    public static Hello SayHello(Hello hello)
    {
        if (Greeting.IsRequest(hello.Name))
        {
            return hello with { Name = Greeting.Reply };
        }
        Count();
        return hello;
    }

    /// <summary>Counts a call and its answer.</summary>
    public static void Count()
    {
        ref Totals own = ref Totals.Own;
        own.Received++;
        own.Sent++;
    }
}
