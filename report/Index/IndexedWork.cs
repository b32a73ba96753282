/// <summary>What a cell does, whatever its load is.</summary>
/// <param name="Words">For readers.</param>
/// <param name="Noun">What is counted, one of it.</param>
/// <param name="IsAtRate">Whether its rate was given, so that rates say nothing of libraries.</param>
/// <param name="Order">Its place among all.</param>
sealed record IndexedWork(string Words, string Noun, bool IsAtRate, int Order)
{
    /// <summary>That of a cell.</summary>
    public static IndexedWork Of(Cell cell)
    {
        var words = cell.Work.KindInWords(cell.Delivery);
        // Each kind comes as it is and over TLS, which is one work.
        return new(
            cell.ClosedLoop ? words : $"{words} at a rate",
            cell.Work.Noun,
            !cell.ClosedLoop,
            cell.KindOrder / 2
        );
    }
}
