/// <summary>Receives datagrams with the library's UDP, which has to be asked for each.</summary>
static class Datagrams
{
    // Of the calling thread; a callback asks for the next datagram of its own socket alone.
    [ThreadStatic] static bool isReceiving;
    [ThreadStatic] static bool isAskedAgain;

    /// <summary>Receives the next datagram. One that is there already calls back at once, and would nest until the
    /// stack is full; so the outermost call on a thread loops instead (the library's samples hop over the pool).
    /// </summary>
    public static void Receive(IDatagramSocket udp)
    {
        isAskedAgain = true;
        if (isReceiving)
        {
            return;
        }
        isReceiving = true;
        try
        {
            while (isAskedAgain)
            {
                isAskedAgain = false;
                udp.ReceiveAsync();
            }
        }
        finally
        {
            isReceiving = false;
        }
    }
}
