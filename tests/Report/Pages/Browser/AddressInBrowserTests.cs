using System.Text.RegularExpressions;
using Microsoft.Playwright;

/// <summary>The view that is shown stands in the address, and an address that makes no sense does no harm.</summary>
public sealed class AddressInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    [Fact]
    public async Task A_copied_address_shows_the_same_view_and_back_goes_back()
    {
        const string StubClipboard = "Object.defineProperty(navigator, 'clipboard', "
            + "{ value: { writeText: async text => { window.copied = text; } } })";
        await using var open = await Explorer();
        await Choice(open.Page, "Delivery mode").SelectOptionAsync("unreliable");
        var firstHash = open.Hash;
        var firstWords = await open.Words();
        await Choice(open.Page, "View").SelectOptionAsync("parallel");
        await Choice(open.Page, "Load").SelectOptionAsync("100-x-any");
        await open.Page.GetByRole(AriaRole.Checkbox, new() { Name = "udp (baseline)" }).UncheckAsync();
        await open.Page.GetByLabel("Logarithmic scale").CheckAsync();
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Zoom in" }).ClickAsync();
        await Head(open, 3).ClickAsync();
        await open.Page.EvaluateAsync(StubClipboard);
        await open.Page.Locator("nav a[href='#charts']").First.ClickAsync(); // which is another address
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Copy link" }).ClickAsync();
        var copied = await open.Page.EvaluateAsync<string>("window.copied");
        await using (var other = await Explorer(copied[(copied.IndexOf('#') + 1)..]))
        {
            Assert.Equal(await open.Chart, await other.Chart);
            Assert.Equal(await open.Column(Verdict, 3), await other.Column(Verdict, 3));
            Assert.Equal("100-x-any", await Choice(other.Page, "Load").InputValueAsync());
            other.AssertQuiet();
        }
        while (open.Hash != firstHash)
            await open.Page.GoBackAsync();
        await open.Page.Mouse.MoveAsync(0, 0); // the page may have scrolled under it
        var title = new Regex("^Throughput against clients, unreliable");
        await Assertions.Expect(open.Page.Locator(".title")).ToHaveTextAsync(title);
        // A chart that is drawn again has the same words, but not every element's place said in the same way.
        Assert.Equal(firstWords.Order(), (await open.Words()).Order());
        await open.Page.GoForwardAsync();
        await Assertions.Expect(Choice(open.Page, "View")).ToHaveValueAsync("parallel");
        open.AssertQuiet();
    }

    [Theory]
    [InlineData("view=nosuch&mode=%3Cimg%20src=x%20onerror=alert(1)%3E&metric=__proto__&load=constructor&scale=x")]
    [InlineData("view=constructor&zoom=90-10&hide=%E0%A4%A,%3Cb%3E&sort=t.99.up,t.1.sideways,nosuch.1.up&table=no")]
    [InlineData("zoom=1e99--5&=&&a=b=c&%00=%00&javascript:alert(1)=1")]
    public async Task An_address_that_makes_no_sense_is_passed_over(string hash)
    {
        await using var plain = await Explorer();
        await using var open = await Explorer(hash);
        Assert.Equal(await plain.Chart, await open.Chart);
        Assert.Equal(await plain.Column(Verdict, 1), await open.Column(Verdict, 1));
        open.AssertQuiet();
    }
}
