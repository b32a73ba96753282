/// <summary>What a cell does, whatever its load is.</summary>
/// <param name="Words">For readers.</param>
/// <param name="Noun">What is counted, one of it.</param>
/// <param name="Order">Its place among all.</param>
sealed record IndexedWork(string Words, string Noun, int Order)
{
    /// <summary>That of a cell.</summary>
    public static IndexedWork Of(Cell cell)
    {
        var kind = cell.Work.KindOf(cell.Delivery);
        var words = cell.Work.IsCall || !cell.Work.IsAnswered ? kind : $"{kind} {cell.Work.Plural}";
        return cell.ClosedLoop
            ? new(words, cell.Work.Noun, cell.KindOrder / 2)
            : new($"{words} at a rate", cell.Work.Noun, cell.KindOrder / 2);
    }
}
