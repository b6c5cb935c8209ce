import GranaryPredicates

/// An object of results with what decided its place. The object's values may change before the place is looked up.
final class ResultsEntry {
    let object: ManagedObject
    /// The values of the sort descriptors.
    let keys: [AttributeValue?]
    /// The order of objects with equal keys.
    var tie: Tie
    let section: String

    init(_ object: ManagedObject, keys: [AttributeValue?], tie: Tie, section: String) {
        self.object = object
        self.keys = keys
        self.tie = tie
        self.section = section
    }

    /// Whether two entries have the same place.
    func hasSamePlace(as other: ResultsEntry) -> Bool {
        keys == other.keys && tie == other.tie && section == other.section
    }

    /// Stored objects come first, by their stores and keys; new ones follow in the order they were inserted.
    struct Tie: Equatable {
        /// The place of the store, or of the context that has the new object, after all stores.
        let place: Int
        /// The primary key of a stored object, or the insertion number of a new one.
        let number: Int64
        let isNew: Bool

        static func < (left: Self, right: Self) -> Bool {
            left.place != right.place ? left.place < right.place : left.number < right.number
        }
    }
}
