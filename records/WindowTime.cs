/// <summary>Whether a window lasted as long as it was to.</summary>
static class WindowTime
{
    // A side may heed the mark that opens it later than the one that ends it.
    const double LateS = 0.05;

    const double Share = 0.99;

    /// <summary>False where it ended before its time; one until stopped (-1) has none.</summary>
    public static bool IsWhole(double elapsedS, double seconds) =>
        elapsedS >= Math.Min(Share * seconds, seconds - LateS);
}
