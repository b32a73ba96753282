/// <summary>A small disk of its own, in memory; a test that needs one is skipped where none can be mounted.</summary>
sealed class SmallDisk : IDisposable
{
    readonly Scratch scratch = new();
    readonly bool isMounted;

    public SmallDisk(string size)
    {
        isMounted = Environment.IsPrivilegedProcess && Run("mount", "-t", "tmpfs", "-o", $"size={size}", "none");
        if (isMounted)
            return;
        scratch.Dispose();
        Assert.Skip("No disk can be mounted here.");
    }

    public string PathOf(string name) => scratch.PathOf(name);

    /// <summary>Fills it but for some bytes.</summary>
    public void Fill(long leaveBytes) => File.WriteAllBytes(PathOf("filler"),
        new byte[new DriveInfo(scratch.Folder).AvailableFreeSpace - leaveBytes]);

    /// <summary>Changes how it is mounted.</summary>
    public void Remount(string how) => Assert.True(Run("mount", "-o", $"remount,{how}"));

    public void Dispose()
    {
        if (!isMounted)
            return; // skipped
        Assert.True(Run("umount"));
        scratch.Dispose();
    }

    bool Run(string program, params string[] args)
    {
        using var command = Command.Start(program, [.. args, scratch.Folder]);
        return command.Wait().ExitCode == 0;
    }
}
