/// Where the model of a store comes from.
public enum StoreModelSource: String, Sendable, Encodable {
    /// The caller gave it.
    case given
    /// The store contains it.
    case cache
    /// It is inferred from the store's tables.
    case inferred
}
