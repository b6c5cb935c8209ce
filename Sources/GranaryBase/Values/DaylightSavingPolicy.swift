/// What to do with a local time that occurs twice in its time zone (when daylight-saving time ends) or does not exist
/// in it (when daylight-saving time begins).
public enum DaylightSavingPolicy: String, Sendable, Hashable, CaseIterable {
    /// Refuse the value.
    case error
    /// Use the earlier of the two instants. A time that does not exist is read with the offset after the change, which
    /// gives the earlier instant (like `disambiguation: "earlier"` of ECMAScript's Temporal).
    case earlier
    /// Use the later of the two instants. A time that does not exist is read with the offset before the change.
    case later
}
