/// <summary>A figure, and how many times the plain socket's it is under the same load. Either is
/// null where it is not known.</summary>
readonly record struct Relative(double? Value, double? ToPlain)
{
    /// <summary>A figure of a cell beside the plain socket's.</summary>
    public static Relative Of(double? value, double? plain) => new(value, Launch.Ratio(value, plain));
}
