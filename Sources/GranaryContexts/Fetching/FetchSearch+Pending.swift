import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Merges the results of the stores with the objects that have unsaved changes, so that a few changes do not make a
/// fetch read all rows.
extension FetchSearch {
    /// The fetched objects with unsaved changes.
    private struct Pending {
        /// The changed and deleted objects. What the stores find about them is out of date.
        var replaced: Set<ManagedObjectID>
        /// The changed objects that match.
        var changed: [ManagedObject]
        /// The new objects that match, in the order they were inserted.
        var inserted: [ManagedObject]

        var isEmpty: Bool { changed.isEmpty && inserted.isEmpty }
    }

    /// An object and its place in the order.
    private struct Found {
        let object: ManagedObject
        let keys: [AttributeValue?]
        /// The place of its store; new objects come after all stores.
        let store: Int
        /// The primary key of a stored object, or the insertion number of a new one.
        let key: Int64
    }

    /// Evaluates the predicate on the objects with unsaved changes.
    private func pending() throws -> Pending {
        // The evaluation may run hooks, which may change the sets of the context.
        let (updated, deleted, inserted) = (context.updated, context.deleted, context.inserted)
        var pending = Pending(replaced: [], changed: [], inserted: [])
        for object in deleted where isCounted(object) { pending.replaced.insert(object.objectID) }
        for object in updated where isCounted(object) {
            pending.replaced.insert(object.objectID)
            if try matches(object) { pending.changed.append(object) }
        }
        for object in inserted where isCounted(object) {
            if try matches(object) { pending.inserted.append(object) }
        }
        pending.inserted.sort { $0.insertionNumber < $1.insertionNumber }
        pending.changed = try stored(pending.changed)
        return pending
    }

    /// Returns the objects that still exist in the stores.
    private func stored(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        guard !objects.isEmpty else { return [] }
        var found: Set<ManagedObjectID> = []
        for shared in try context.read(objects.map(\.objectID)) {
            if !request.relationshipKeyPathsForPrefetching.isEmpty {
                try context.prefetch(request.relationshipKeyPathsForPrefetching, from: shared)
            }
            for row in context.rows(shared) where entities.contains(row.layout.index) { found.insert(row.id) }
        }
        return objects.filter { found.contains($0.objectID) }
    }

    /// The number of objects that a store must find, so that enough are left without the replaced ones.
    private func limit(_ pending: Pending) -> Int? {
        wanted.flatMap { wanted in
            let (sum, overflow) = wanted.addingReportingOverflow(pending.replaced.count)
            return overflow ? nil : sum
        }
    }

    func mergedObjects() throws -> [ManagedObject] {
        let pending = try pending()
        let search = search(order: request.sortDescriptors, limit: limit(pending), offset: 0)
        // The objects of a single store are in order already.
        let isMixed = stores.count > 1 || !pending.isEmpty
        let withKeys = isMixed && !isStreamed
        var found: [Found] = []
        for (place, store) in stores.enumerated() {
            let rows = try rows(of: store, search, withKeys: withKeys)
            for batch in rows.batches {
                try take(batch, of: store, read: rows.mark, creates: { _ in true }) { object, _ in
                    guard !object.isDeleted, !pending.replaced.contains(object.objectID) else { return true }
                    let key = object.objectID.key ?? 0
                    found.append(Found(object: object, keys: rows.keys[key] ?? [], store: place, key: key))
                    return true
                }
            }
        }
        if isMixed { try add(pending, to: &found) }
        return request.window(found.map(\.object))
    }

    /// Adds the objects with unsaved changes at their places.
    private func add(_ pending: Pending, to found: inout [Found]) throws {
        let paths = sortPaths
        let places = Dictionary(
            zip(stores.map(\.identifier), stores.indices), uniquingKeysWith: { first, _ in first })
        for object in pending.changed {
            guard let store = object.objectID.storeIdentifier.flatMap({ places[$0] }) else { continue }
            found.append(
                Found(
                    object: object, keys: try sortKeys(of: object, paths), store: store, key: object.objectID.key ?? 0))
        }
        for object in pending.inserted {
            found.append(
                Found(
                    object: object, keys: try sortKeys(of: object, paths), store: stores.count,
                    key: Int64(object.insertionNumber)))
        }
        let order = SortOrder(request.sortDescriptors)
        found.sort { left, right in
            let result = order.order(left.keys, right.keys)
            return result != 0 ? result < 0 : (left.store, left.key) < (right.store, right.key)
        }
    }

    /// The IDs of the results without an order, by their keys. It creates no objects.
    func mergedIDs() throws -> [ManagedObjectID] {
        let pending = try pending()
        let search = search(order: [], limit: limit(pending), offset: 0)
        var found: [ManagedObjectID] = []
        for store in stores {
            let keys = try context.reading(store) { try $0.keys(search) }
            var ids: [ManagedObjectID] = []
            ids.reserveCapacity(keys.count)
            for key in keys {
                let id = ManagedObjectID(origin: store.identity, entity: key.entity, key: key.key)
                if !pending.replaced.contains(id) { ids.append(id) }
            }
            let changed = pending.changed.map(\.objectID).filter { $0.storeIdentifier == store.identifier }
            if !changed.isEmpty { ids = (ids + changed).sorted { ($0.key ?? 0) < ($1.key ?? 0) } }
            found += ids
        }
        return request.window(found + pending.inserted.map(\.objectID))
    }
}
