import GranaryBase
import GranaryModel
public import GranaryPredicates

extension Optional where Wrapped == AttributeValue {
    /// NULL, for dictionaries of a ``BatchInsertRequest``: `attributes["strength"] = .null`.
    public static var null: Self { .none }
}
