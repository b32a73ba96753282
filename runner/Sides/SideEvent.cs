using Newtonsoft.Json.Linq;

/// <summary>What a side said; Record null: it has ended. Side null: somebody asks to stop, or Fault says what befell
/// all.</summary>
sealed record SideEvent(Side? Side, JObject? Record, string? Fault = null);
