import Foundation

extension AttributeValue {
    /// Whether the value comes before, with or after another in an order: negative, zero or positive. Numbers compare by
    /// their value, text, UUIDs and binary data by their bytes; nil where the two kinds have no order between them.
    package func order(to other: AttributeValue) -> Int? {
        switch (self, other) {
        case (.binary(let left), .binary(let right)):
            left == right ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
        case (.uuid(let left), .uuid(let right)): left == right ? 0 : (left < right ? -1 : 1)
        default: PredicateComparison(operation: .less, options: []).compare(self, other)
        }
    }
}
