/// <summary>Files that are there whole or not at all, also when the tool is killed or the disk is full.</summary>
static class WholeFile
{
    /// <summary>Lets a writer fill a file beside the path, which then takes the path's place.</summary>
    public static void Write(string path, Action<string> write)
    {
        var unfinished = path + ".tmp";
        try
        {
            write(unfinished);
            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }
}
