/// <summary>A figure, and how many times the plain-socket floor's it is under the same load. Either is
/// null where it is not known.</summary>
readonly record struct Relative(double? Value, double? ToFloor)
{
    /// <summary>A figure of a cell beside the floor's.</summary>
    public static Relative Of(double? value, double? floor) => new(value, Launch.Ratio(value, floor));
}
