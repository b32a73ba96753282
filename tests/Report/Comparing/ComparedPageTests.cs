using Newtonsoft.Json.Linq;

/// <summary>The page of a comparison: the same wherever it is made, and inert whatever the records say.</summary>
public sealed class ComparedPageTests : ComparedSweeps
{
    [Fact]
    public void The_same_records_give_the_same_bytes_in_any_culture_and_order()
    {
        var before = Null(12, 10, 1);
        var after = Null(12, 10, 2);
        Compare(before, after, null, "--out", scratch.PathOf("1.md"));
        Compare(before, after, null, "--out", scratch.PathOf("2.md"));
        Tool.RunIn(Tool.German, "compare", scratch.PathOf("base"), scratch.PathOf("new"),
            "--out", scratch.PathOf("3.md"));
        Compare([.. before.Reverse()], [.. after.Reverse()], null, "--out", scratch.PathOf("4.md"));
        var page = File.ReadAllBytes(scratch.PathOf("1.md"));
        Assert.NotEmpty(page);
        Assert.All(new[] { "2.md", "3.md", "4.md" },
            file => Assert.Equal(page, File.ReadAllBytes(scratch.PathOf(file))));
    }

    [Fact]
    public void Hostile_strings_stay_inert()
    {
        const string Hostile = "<b>|\u001b[31m\n# x `y` [z](w) **a**\u202e";
        var hostile = MadeUp.With(
            [.. Cell(MadeUp.Five)],
            ("library", Hostile),
            ("ready.library_version", Hostile),
            ("settings.address", Hostile));
        var page = Compare([.. Cell(MadeUp.Five)], hostile, 0);
        Assert.DoesNotContain("<b>", page.Replace("\\<b\\>", ""));
        Assert.DoesNotContain('\u001b', page);
        Assert.DoesNotContain('\u202e', page);
        Assert.DoesNotContain("\n# x", page);
        Assert.Contains(@"\<b\>\| \[31m \# x \`y\` \[z\](w) \*\*a\*\*", page);
        foreach (var table in page.Split("\n\n").Where(part => part.StartsWith('|')))
        {
            var rows = table.Trim().Split('\n');
            Assert.Single(rows.Select(row => row.Replace("\\|", "").Split('|').Length).Distinct());
        }

        Write("new", [Machine(("cpu_model", Hostile)), .. Cell(MadeUp.Five)], false);
        Assert.DoesNotContain('\u001b', Command().WrongUsage());
        Assert.DoesNotContain("<b>", Run(0, "--force").Replace("\\<b\\>", ""));
    }
}
