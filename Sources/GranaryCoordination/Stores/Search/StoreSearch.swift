package import Foundation
package import GranaryPredicates

/// The objects to find in a store, and their order.
package struct StoreSearch: Sendable {
    /// The indexes of the entities, within one hierarchy.
    package var entities: Range<Int>
    /// The condition, resolved by a ``PredicateResolver``; nil for all objects.
    package var predicate: ObjectPredicate?
    /// The order; objects with equal keys, and all objects if it is empty, come in the order of their primary keys.
    package var order: [ObjectSortDescriptor]
    /// The maximum number of objects; nil for all.
    package var limit: Int?
    /// The number of objects to skip.
    package var offset: Int
    /// Only objects with a primary key above this one are found; nil for all. Pages that are read one after the other
    /// take the same time each, unlike with ``offset``.
    package var afterKey: Int64?
    /// The time of `now()` in the predicate and in expressions.
    package var now = Date()

    package init(
        entities: Range<Int>, predicate: ObjectPredicate? = nil, order: [ObjectSortDescriptor] = [],
        limit: Int? = nil, offset: Int = 0, afterKey: Int64? = nil
    ) {
        self.entities = entities
        self.predicate = predicate
        self.order = order
        self.limit = limit.map { max(0, $0) }
        self.offset = max(0, offset)
        self.afterKey = afterKey
    }

    /// Whether the search finds all objects in the order of their keys.
    package var isPlain: Bool {
        predicate == nil && order.isEmpty && limit == nil && offset == 0 && afterKey == nil
    }

    /// The number of objects up to the end of the window; nil for all.
    var end: Int? {
        guard let limit else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(limit)
        return overflow ? nil : end
    }

    /// The part of `count` objects that is inside the window.
    func window(of count: Int) -> Int { min(max(0, count - offset), limit ?? .max) }
}

extension StoreBackend {
    /// Stores without a query language evaluate every search in memory.
    package func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? { nil }
}
