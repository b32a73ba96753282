/// <summary>What is called. A call is written as the number of its slot (int32), the operation (a byte) and the
/// arguments; its answer as the slot, the operation and the result.</summary>
enum Operation : byte
{
    Sum,
    GetUser,
    SayHello,
    /// <summary>A message of a broadcast: in place of the slot stands its length, in place of arguments its bytes.
    /// </summary>
    Broadcast,
}
