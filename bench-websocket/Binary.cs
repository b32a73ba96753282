/// <summary>What calls carry as bytes, by the rules of BinaryWriter.</summary>
static class Binary
{
    public static void Write(BinaryWriter to, User? user)
    {
        to.Write(user != null);
        if (user == null)
        {
            return;
        }
        to.Write(user.Id);
        to.Write(user.Version);
        to.Write(user.CreatedAt.Ticks);
        to.Write(user.ModifiedAt.Ticks);
        to.Write(user.Name);
    }

    public static void Write(BinaryWriter to, Hello hello)
    {
        to.Write(hello.Name);
        to.Write(hello.D);
        to.Write(hello.F);
        to.Write(hello.B);
        to.Write(hello.N);
        to.Write(hello.L);
        to.Write(hello.C1 != null);
        if (hello.C1 != null)
        {
            to.Write(hello.C1);
        }
        else
        {
            to.Write(hello.C2 == true);
        }
        to.Write((byte)hello.Pets.Length);
        foreach (Pet pet in hello.Pets)
        {
            to.Write(pet.Name);
            to.Write((byte)pet.Color);
        }
        to.Write(hello.Data.Length);
        to.Write(hello.Data);
    }

    public static User? ReadUser(BinaryReader from)
    {
        if (!from.ReadBoolean())
        {
            return null;
        }
        // Arguments are evaluated from left to right, so that they are read in their order.
        return new User(
            Id: from.ReadInt64(),
            Version: from.ReadInt64(),
            CreatedAt: new DateTime(from.ReadInt64(), DateTimeKind.Utc),
            ModifiedAt: new DateTime(from.ReadInt64(), DateTimeKind.Utc),
            Name: from.ReadString());
    }

    public static Hello ReadHello(BinaryReader from)
    {
        string name = from.ReadString();
        double d = from.ReadDouble();
        float f = from.ReadSingle();
        bool b = from.ReadBoolean();
        int n = from.ReadInt32();
        long l = from.ReadInt64();
        bool hasC1 = from.ReadBoolean();
        string? c1 = hasC1 ? from.ReadString() : null;
        bool? c2 = hasC1 ? null : from.ReadBoolean();
        var pets = new Pet[from.ReadByte()];
        for (int pet = 0; pet < pets.Length; pet++)
        {
            pets[pet] = new Pet(Name: from.ReadString(), Color: (Color)from.ReadByte());
        }
        byte[] data = from.ReadBytes(from.ReadInt32());
        return new Hello(name, d, f, b, n, l, c1, c2, pets, data);
    }
}
