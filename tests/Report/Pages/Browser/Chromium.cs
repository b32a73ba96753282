using Microsoft.Playwright;

/// <summary>The system's own browser of Chromium's kind, without a window, driven by Playwright. Nothing is
/// downloaded for it.</summary>
public sealed class Chromium : IAsyncLifetime
{
    // One that can show no window at all takes a third of the CPU time that one does which shows none.
    static readonly string[] names =
    [
        "chromium-headless-shell", "chrome-headless-shell",
        "chromium", "chromium-browser", "google-chrome", "microsoft-edge",
    ];

    // Of one that can, a quarter is saved where it has few processes and threads.
    static readonly string[] flags =
    [
        "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--in-process-gpu", "--num-raster-threads=1",
        "--renderer-process-limit=1",
    ];

    /// <summary>For what takes a moment, on a busy machine many times as long.</summary>
    public const float MostMs = 60_000;

    IPlaywright? playwright;
    IBrowser? browser;

    static string? Executable => names.Select(name => Runner.Find(name)).FirstOrDefault(path => path != null);

    /// <summary>A sentence where there is none, else null.</summary>
    public static string? Missing => Executable != null
        ? null
        : "There is no Chromium here: install the package chromium-headless-shell, chromium, google-chrome or "
            + "microsoft-edge.";

    public async ValueTask InitializeAsync()
    {
        if (Executable == null)
            return;
        playwright = await Playwright.CreateAsync();
        // Its sandbox refuses root.
        string[] args = Environment.UserName == "root" ? [.. flags, "--no-sandbox"] : flags;
        browser = await playwright.Chromium.LaunchAsync(new() { ExecutablePath = Executable, Args = args });
    }

    public async ValueTask DisposeAsync()
    {
        if (browser != null)
            await browser.CloseAsync();
        playwright?.Dispose();
    }

    /// <summary>Opens a file with what follows # in its address.</summary>
    public async Task<OpenPage> Open(string path, string hash = "", BrowserNewContextOptions? options = null)
    {
        var context = await browser!.NewContextAsync(options);
        context.SetDefaultTimeout(MostMs);
        var open = new OpenPage(await context.NewPageAsync());
        await context.RouteAsync("**/*", OnlyFiles);
        var address = new Uri(path).AbsoluteUri;
        await open.Page.GotoAsync(hash == "" ? address : $"{address}#{hash}");
        return open;
    }

    static Task OnlyFiles(IRoute route) =>
        route.Request.Url.StartsWith("file:") ? route.ContinueAsync() : route.AbortAsync();
}
