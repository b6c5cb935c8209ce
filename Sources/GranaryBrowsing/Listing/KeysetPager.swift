import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Reads the objects that follow an object in an order, without reading those before it.
///
/// The last object of a page determines where the next one begins: its key, and its present values of the sort keys. An
/// offset would read all objects of the pages before, and would show an object twice, or none, if others were inserted or
/// deleted meanwhile.
struct KeysetPager {
    private let store: any StoreBackend
    private let entity: Schema.Entity
    private let resolver: PredicateResolver
    private let predicate: ObjectPredicate?
    private let order: [ObjectSortDescriptor]
    /// Rows are read in small parts, because each can have large values.
    private static let batchSize = 4

    init(_ query: ListQuery, of store: any StoreBackend) {
        self.store = store
        entity = query.entity
        resolver = PredicateResolver(schema: store.schema, entity: query.entity)
        predicate = query.resolved
        order = query.order
    }

    /// Passes the rows after an object to `body`, in order, until it returns false.
    ///
    /// - Parameters:
    ///   - after: the key of the object; nil to begin at the first one.
    ///   - limit: the maximum number of rows.
    /// - Throws: ``GranaryError`` with code `usage` if the object no longer exists.
    func read(
        after: Int64?, limit: Int, _ body: (borrowing RowBatch, _ row: Int) throws -> Bool
    ) throws {
        var remaining = limit
        var isDone = false
        for search in try searches(after: after) {
            guard remaining > 0, !isDone else { return }
            var search = search
            search.limit = remaining
            try store.search(search, batchSize: Self.batchSize) { batch in
                for row in batch.rows.indices {
                    remaining -= 1
                    guard try body(batch, row), remaining > 0 else {
                        isDone = true
                        return false
                    }
                }
                return true
            }
        }
    }

    /// The searches whose results are, one after the other, the objects after an object.
    ///
    /// With the order a, b and the object (1, 2, key 7): a = 1 and b = 2 with a key above 7; a = 1 and b > 2; a > 1. An
    /// index on the sort keys serves each of them, which it could not do for one condition with OR.
    private func searches(after: Int64?) throws -> [StoreSearch] {
        guard let after else { return [search([], order)] }
        guard !order.isEmpty else { return [search([], [], afterKey: after)] }
        let batch = try store.read(root: entity.root, keys: [after])
        guard let row = batch.rows.firstIndex(where: { $0.key == after && entity.family.contains(Int($0.entity)) })
        else {
            throw GranaryError(
                .usage, "the object with which the page before ended was deleted; go back to the first page")
        }
        var equals: [ObjectPredicate] = []
        var later: [StoreSearch] = []
        for (index, descriptor) in order.enumerated() {
            guard let attribute = entity.attribute(named: descriptor.keyPath) else { continue }
            let value = try batch.value(row: row, of: attribute).map(ObjectExpression.constant)
            for condition in try beyond(descriptor, value) {
                later.insert(search(equals + [condition], Array(order[index...])), at: 0)
            }
            equals.append(try compare(descriptor, .equal, value ?? .null))
        }
        return [search(equals, [], afterKey: after)] + later
    }

    /// The conditions that a value follows another one, in the reverse order of their objects. NULL is before all values.
    private func beyond(_ descriptor: ObjectSortDescriptor, _ value: ObjectExpression?) throws -> [ObjectPredicate] {
        guard let value else {
            return descriptor.isAscending ? [try compare(descriptor, .notEqual, .null)] : []
        }
        guard !descriptor.isAscending else { return [try compare(descriptor, .greater, value)] }
        return [try compare(descriptor, .equal, .null), try compare(descriptor, .less, value)]
    }

    private func compare(
        _ descriptor: ObjectSortDescriptor, _ operation: ObjectPredicate.Operator, _ value: ObjectExpression
    ) throws -> ObjectPredicate {
        try resolver.resolve(.comparison(ObjectPredicate.Comparison(.keyPath(descriptor.keyPath), operation, value)))
    }

    private func search(
        _ conditions: [ObjectPredicate], _ order: [ObjectSortDescriptor], afterKey: Int64? = nil
    ) -> StoreSearch {
        // The conditions of a user first: they are one part of the conjunction.
        let parts = (predicate.map { if case .and(let parts) = $0 { parts } else { [$0] } } ?? []) + conditions
        return StoreSearch(
            entities: entity.family, predicate: parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .and(parts),
            order: order, afterKey: afterKey)
    }
}
