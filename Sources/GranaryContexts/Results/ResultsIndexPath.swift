/// The place of an object in sectioned results. (`NSIndexPath` with `section` and `item`)
public struct ResultsIndexPath: Sendable, Hashable {
    /// The number of the section.
    public var section: Int
    /// The number of the object in its section.
    public var item: Int

    public init(section: Int = 0, item: Int) {
        self.section = section
        self.item = item
    }
}

/// The order of places in the results.
extension ResultsIndexPath: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.section != right.section ? left.section < right.section : left.item < right.item
    }
}

extension ResultsIndexPath: CustomStringConvertible {
    /// `[section, item]`.
    public var description: String { "[\(section), \(item)]" }
}
