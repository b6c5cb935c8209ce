public import Foundation
public import GranaryBase
public import GranaryPredicates

extension ObjectSortDescriptor {
    /// The key of Foundation's `SortDescriptor`: `try ObjectSortDescriptor(SortDescriptor(\Book.title, order: .reverse))`.
    ///
    /// Text is compared by its bytes, also with the comparator `.lexical`. The comparators `.localized` and
    /// `.localizedStandard`, which only Apple's platforms have, become the comparisons of the same names.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a property that its class does not list in
    ///   ``ManagedObject/propertyNames``, for a property of a related object (use ``ObjectSortKey``), and for another
    ///   comparator.
    public init<Object: ManagedObject>(_ descriptor: SortDescriptor<Object>) throws(GranaryError) {
        guard let keyPath = descriptor.keyPath else {
            throw GranaryError(.usage, "the SortDescriptor of \(Object.self) has no key path")
        }
        self.init(
            try PropertyNames.name(of: keyPath, in: Object.self), ascending: descriptor.order == .forward,
            comparison: try Self.comparison(descriptor.stringComparator))
    }

    private static func comparison(
        _ comparator: String.StandardComparator?
    ) throws(GranaryError) -> Comparison {
        guard var comparator else { return .standard }
        comparator.order = .forward
        if comparator == .lexical { return .standard }
        #if canImport(Darwin)
            if comparator == .localized { return .localized }
            if comparator == .localizedStandard { return .localizedStandard }
        #endif
        throw GranaryError(
            .usage, "the comparator of the SortDescriptor has no translation; use ObjectSortDescriptor's `comparison`")
    }
}
