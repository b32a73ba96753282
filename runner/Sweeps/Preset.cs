/// <summary>A preset: a file of lines KEY=VALUE that says which cells a sweep has.</summary>
static class Preset
{
    const string Folder = "scripts/presets";
    const string OfLoad = "load=";
    const string Extension = ".preset";

    /// <summary>The file of a preset: one of the suite's by its name, or a path from a folder.</summary>
    public static string Find(string preset, string folder)
    {
        var named = $"{Folder}/{preset}{Extension}";
        if (LibraryName.IsShort(preset) && File.Exists(named))
        {
            return named;
        }
        var file = Path.Combine(folder, preset);
        if (File.Exists(file))
        {
            return file;
        }
        var presets = Directory.Exists(Folder) ? Directory.GetFiles(Folder, "*" + Extension) : [];
        var names = presets.Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal);
        throw new Failure($"There is no preset '{preset}' (presets: {string.Join(", ", names)}).", Exit.WrongUsage);
    }

    /// <summary>The preset's name in the records, which hold no path.</summary>
    public static string NameOf(string preset)
    {
        string file = Path.GetFileName(preset);
        return LibraryName.Shortened(file.EndsWith(Extension) ? file[..^Extension.Length] : file);
    }

    /// <summary>Its settings by key, each checked.</summary>
    public static Dictionary<string, string> Read(string file)
    {
        var settings = new Dictionary<string, string>();
        var loads = new List<string>();
        var number = 0;
        foreach (var line in File.ReadLines(file))
        {
            number++;
            if (line == "" || line.StartsWith('#'))
            {
                continue;
            }
            if (line.StartsWith(OfLoad, StringComparison.Ordinal))
            {
                loads.Add(line[OfLoad.Length..]);
                SweepReader.CheckLoads($"{file}:{number}: load", loads[^1]);
                continue;
            }
            if (line.Split('=', 2) is not [var key, var value] || SettingOf(key) is not { } setting)
            {
                throw new Failure($"{file}:{number}: '{line}' is no setting of a preset.", Exit.WrongUsage);
            }
            SweepReader.Check(setting, $"{file}:{number}: {key}", value);
            if (!settings.TryAdd(key, value))
            {
                throw new Failure($"{file}:{number}: {key} is there twice.", Exit.WrongUsage);
            }
        }
        if (loads.Count > 0 && !settings.TryAdd(Loads.Name, Loads.Joined(loads)))
        {
            throw new Failure($"{file}: {Loads.Name} and load=… are there both.", Exit.WrongUsage);
        }
        return settings;
    }

    static Setting? SettingOf(string name) =>
        SweepSettings.OfPreset.FirstOrDefault(setting => setting.Name == name);
}
