/// <summary>What texts of settings look like, as regular expressions.</summary>
static class Patterns
{
    /// <summary>A name that may be part of a file's.</summary>
    public const string Name = @"^[A-Za-z0-9._@-]{1,200}\z";

    /// <summary>The name of a library, which is that of its folder without bench-.</summary>
    public const string Library = @"^[a-z0-9]+(-[a-z0-9]+)*\z";

    /// <summary>The same, and which version of it, or what was built of a folder: see LibraryName.</summary>
    public const string Member = @"^[a-z0-9]+(-[a-z0-9]+)*(@[A-Za-z0-9._-]+)?(@@[A-Za-z0-9._-]*)?\z";

    /// <summary>The name of a library's way.</summary>
    public const string Variant = @"^[a-z0-9.]+\z";

    /// <summary>An address or a name of one.</summary>
    public const string Address = @"^\S+\z";

    /// <summary>CPUs, as in 0,2-3.</summary>
    public const string Cpus = @"^(all|[0-9]+([,-][0-9]+)*)\z";

    /// <summary>Clients and messages in flight of each.</summary>
    public const string Load = @"^[1-9][0-9]*x[1-9][0-9]*\z";

    /// <summary>CPUs of the server and of the clients, or what plans them.</summary>
    public const string Pin = @"^(none|auto|[0-9]+([,-][0-9]+)*/[0-9]+([,-][0-9]+)*)\z";

    /// <summary>Terms of a service level objective; Slo reads them.</summary>
    public const string Slo = @"^\S+\z";

    /// <summary>Loads of a sweep; SweepReader reads them.</summary>
    public const string Loads = @"^[a-z0-9_=,./% ;A-Z-]+\z";

    /// <summary>A share in percent.</summary>
    public const string Percent = @"^[0-9.]+%\z";

    /// <summary>A time with its unit.</summary>
    public const string Duration = @"^(?<number>[0-9.]+)(?<unit>s|min|h)\z";
}
