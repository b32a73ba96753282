using System.Text;
using Newtonsoft.Json;

/// <summary>What the page's explorer draws, as compact JSON: columns of the cells that are drawn, with the
/// metrics that are exported and the curves of their round trips.</summary>
sealed class PageData
{
    const int Digits = 6;
    const int StepsANine = 20;

    readonly Sweep sweep;
    readonly string[] sections;
    readonly Cell[] cells;
    readonly HashSet<string> varying;

    public PageData(Sweep sweep)
    {
        this.sweep = sweep;
        varying = Cell.Varying(sweep.Cells);
        cells = [.. sweep.Cells.Where(cell => cell.IsDrawn)];
        sections =
        [
            .. sweep
                .Cells.GroupBy(cell => cell.Kind)
                .OrderBy(kind => kind.First().KindOrder)
                .SelectMany(kind =>
                    kind.Select(SectionOf).Distinct().OrderBy(Text.NumbersPadded, StringComparer.Ordinal)
                ),
        ];
    }

    /// <summary>The JSON, fit to stand within an element of HTML; without the curves, which are a large part
    /// of it, if told so.</summary>
    public string ToJson(bool curves)
    {
        var knees = Knees();
        var text = new StringWriter(new StringBuilder());
        using var json = new JsonTextWriter(text);
        json.WriteStartObject();
        Column("sections", sections.Select(section => Text.Plain(section)));
        var undrawn = sweep.Cells.Where(cell => cell.Measured && !cell.IsDrawn).ToLookup(SectionOf);
        Column("undrawn", sections.Select(section => (object)undrawn[section].Count()));
        var names = sweep.Cells.Select(cell => cell.Name).Distinct().Order(StringComparer.Ordinal).ToArray();
        Column("libraries", names.Select(name => Text.Plain(name)));
        // A baseline has the grey of the page's scheme.
        Column("colors", names.Select(name => Baseline.Is(name) ? null : sweep.Looks.ColorOf(name)));
        Column("shapes", names.Select(name => sweep.Looks.ShapeOf(name).ToString()));
        Column("heat", HeatMapChart.Colors);
        Column("slo", sweep.Slo?.Latencies.SelectMany(term => new object[] { term.Quantile, term.Ns / 1e3 }) ?? []);
        Column("section", cells.Select(cell => (object)Array.IndexOf(sections, SectionOf(cell))));
        Column("library", cells.Select(cell => (object)Array.IndexOf(names, cell.Name)));
        Column("clients", cells.Select(cell => (object)cell.Clients));
        Column("parallel", cells.Select(cell => (object)cell.Parallel));
        Column("rate", cells.Select(cell => (object)cell.Rate));
        Column("clientBound", cells.Select(cell => (object)(cell.Bound == Bottleneck.Client ? 1 : 0)));
        Column("knee", cells.Select(cell => (object)(knees.Contains(cell) ? 1 : 0)));
        Column(
            "notes",
            cells.Select(cell => string.Join("; ", cell.Notes(sweep.Repeats).Select(note => Text.Plain(note))))
        );
        Figures();
        json.WritePropertyName("stepsANine");
        json.WriteValue(StepsANine);
        json.WritePropertyName("curves");
        json.WriteStartArray();
        if (curves)
        {
            foreach (var cell in cells)
            {
                json.WriteStartArray();
                foreach (var ns in cell.RoundTripsByNinesNs(StepsANine))
                    Figure(ns / 1e3);
                json.WriteEndArray();
            }
        }
        json.WriteEndArray();
        json.WriteEndObject();
        return Inert(text.ToString());

        void Column(string name, IEnumerable<object?> values)
        {
            json.WritePropertyName(name);
            json.WriteStartArray();
            foreach (var value in values)
                json.WriteValue(value);
            json.WriteEndArray();
        }

        // By metric the medians, and the bounds of their intervals where there are any.
        void Figures()
        {
            var figuresOf = CellFigures.Of(sweep, cells);
            json.WritePropertyName("figures");
            json.WriteStartObject();
            foreach (var metric in Metrics.Exported)
            {
                var figures = figuresOf.Select(metric.Of).ToArray();
                if (figures.All(figure => figure == null))
                    continue;
                json.WritePropertyName(metric.Name);
                json.WriteStartArray();
                All(figures.Select(figure => figure?.Median));
                if (figures.Any(figure => figure?.Kind != null))
                {
                    All(figures.Select(figure => figure?.Low));
                    All(figures.Select(figure => figure?.High));
                }
                json.WriteEndArray();
            }
            json.WriteEndObject();
        }

        void All(IEnumerable<double?> values)
        {
            json.WriteStartArray();
            foreach (var value in values)
                Figure(value);
            json.WriteEndArray();
        }

        void Figure(double? value)
        {
            if (value is { } number && double.IsFinite(number))
                json.WriteRawValue(number.ToString($"G{Digits}"));
            else
                json.WriteNull();
        }
    }

    // The highest rates that keep to the SLO.
    HashSet<Cell> Knees()
    {
        if (sweep.Slo is not { } slo)
            return [];
        return sweep
            .Cells.Where(cell => !cell.ClosedLoop)
            .GroupBy(cell => (SectionOf(cell), cell.Name, cell.Clients, cell.Parallel))
            .Select(rungs => Ladder.Highest(rungs, slo))
            .OfType<Cell>()
            .ToHashSet();
    }

    string SectionOf(Cell cell) => Cell.Titled(cell.Kind, cell.SectionInWords(varying));

    // Such letters stand in strings alone, where they may be written so.
    static string Inert(string json) =>
        json.Replace("<", @"\u003c")
            .Replace(">", @"\u003e")
            .Replace("&", @"\u0026")
            .Replace("\u2028", @"\u2028")
            .Replace("\u2029", @"\u2029");
}
