/// <summary>The tests of the page in one browser, one at a time.</summary>
[CollectionDefinition(Name)]
public sealed class OneBrowser : ICollectionFixture<Chromium>
{
    /// <summary>Its name.</summary>
    public const string Name = "one browser";
}
