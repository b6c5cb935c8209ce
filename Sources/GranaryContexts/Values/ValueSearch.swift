import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Executes a request for the values of stored objects.
struct ValueSearch<Values: ManagedObjectValues> {
    private let request: FetchRequest<ManagedObject>
    private let search: FetchSearch

    /// - Throws: as ``FetchSearch/init(_:context:)``.
    init(_ request: FetchRequest<ManagedObject>, context: ManagedObjectContext) throws {
        var request = request
        request.includesPendingChanges = false
        self.request = request
        search = try FetchSearch(request, context: context)
        try search.checkIsStored()
    }

    func values() throws -> [Values] {
        let order = request.sortDescriptors
        guard search.stores.count > 1 else {
            let limit = request.fetchLimit > 0 ? request.fetchLimit : nil
            let offset = max(0, request.fetchOffset)
            guard let store = search.stores.first else { return [] }
            return try read(store, search.search(order: order, limit: limit, offset: offset)).values
        }
        var found: (values: [Values], keys: [[AttributeValue?]]) = ([], [])
        for store in search.stores {
            let part = try read(store, search.search(order: order, limit: request.wanted, offset: 0))
            found.values += part.values
            found.keys += part.keys
            if order.isEmpty, let wanted = request.wanted, found.values.count >= wanted { break }
        }
        guard !order.isEmpty else { return request.window(found.values) }
        let comparison = SortOrder(order)
        let sorted = found.values.indices.sorted { left, right in
            let result = comparison.order(found.keys[left], found.keys[right])
            return result != 0 ? result < 0 : left < right
        }
        return request.window(sorted.map { found.values[$0] })
    }

    /// Reads the values of one store, and the sort keys if other stores have results too.
    private func read(
        _ store: PersistentStore, _ stored: StoreSearch
    ) throws -> (values: [Values], keys: [[AttributeValue?]]) {
        let paths = search.stores.count > 1 ? search.sortPaths : []
        let source = try StoredValueSource(Values.properties, entities: search.entities, identity: store.identity)
        var values: [Values] = []
        var keys: [[AttributeValue?]] = []
        try search.context.reading(store) { attached in
            let cache = RowSubject.Cache(attached)
            try attached.search(stored, batchSize: search.batchSize) { batch in
                if !paths.isEmpty {
                    let rows = copy batch
                    for row in rows.rows.indices {
                        let subject = RowSubject(cache: cache, batch: rows, row: row)
                        keys.append(try paths.map { try $0.value(on: subject).flatMap(\.attribute) })
                        try cache.check()
                    }
                }
                source.take(&batch)
                for row in source.rows {
                    try source.select(row)
                    values.append(try Values(source))
                }
                return true
            }
        }
        return (values, keys)
    }
}
