import GranaryBase

/// One entry of a dictionary.
package struct PropertyListEntry: Sendable, Equatable {
    package var key: String
    package var value: PropertyListValue

    package init(_ key: String, _ value: PropertyListValue) {
        self.key = key
        self.value = value
    }

    /// Compares keys by their bytes. Swift's `==` considers composed and decomposed letters equal.
    package static func == (left: Self, right: Self) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }
}
