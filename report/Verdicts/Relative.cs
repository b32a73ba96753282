/// <summary>A figure, and how many times the baseline's it is under the same load. Either is
/// null where it is not known.</summary>
readonly record struct Relative(double? Value, double? ToBaseline)
{
    /// <summary>A figure of a cell beside the baseline's.</summary>
    public static Relative Of(double? value, double? plain) => new(value, Launch.Ratio(value, plain));
}
