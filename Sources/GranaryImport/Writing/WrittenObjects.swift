import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel

/// The written rows of entities whose class does not import in bulk, in the order of writing.
struct WrittenObjects {
    private struct Entry {
        let entity: Int
        let row: RowID
        /// Nil for an object that a lookup created.
        let place: RecordLocation?
        /// Which slots the record set, as the words of a ``SlotMask``; nil for an existing object.
        var sets: [UInt64]?
    }

    private var entries: [Entry] = []
    /// The entry of each new object: a later record can change it.
    private var indices: [RowID: Int] = [:]

    var count: Int { entries.count }

    mutating func append(_ entity: Int, _ row: RowID, at place: RecordLocation?, sets: [UInt64]?) {
        guard indices[row] == nil else { return }
        indices[row] = entries.count
        entries.append(Entry(entity: entity, row: row, place: place, sets: sets))
    }

    /// Runs the methods of the objects.
    ///
    /// - Parameter reject: called for each row whose object cannot be saved.
    func run(
        _ coordinator: PersistentStoreCoordinator, store: any StoreBackend, writer: any StoreWriter,
        _ cancellation: Cancellation?, reject: (RecordLocation, Int, GranaryError) -> Void
    ) throws {
        guard !entries.isEmpty else { return }
        let schema = store.schema
        let objects = try ImportedObjects(coordinator, store: store, writer: writer)
        defer { objects.end() }
        var rejectsAny = false
        for start in stride(from: 0, to: entries.count, by: ImportedObjects.batchSize) {
            try cancellation?.check()
            let part = entries[start..<min(start + ImportedObjects.batchSize, entries.count)]
            let rows = part.map { entry in
                ImportedObjects.Row(entity: entry.entity, key: entry.row.key, isNew: entry.sets != nil) { slot in
                    entry.sets?.hasBit(slot) ?? false
                }
            }
            let rejections = try objects.run(rows[...], writes: !rejectsAny) { root, key in
                indices[RowID(root: root, key: key)] != nil
            }
            for rejection in rejections {
                rejectsAny = true
                guard let index = indices[RowID(root: rejection.root, key: rejection.key)] else { continue }
                let entry = entries[index]
                var error = rejection.error
                guard let place = entry.place else {
                    throw GranaryError(
                        .refused, "an object that a lookup created cannot be saved: \(error.message)",
                        diagnostics: error.diagnostics, underlying: error)
                }
                for index in error.diagnostics.indices where error.diagnostics[index].entity == nil {
                    error.diagnostics[index].entity = schema.entities[entry.entity].name
                }
                reject(place, entry.entity, error)
            }
        }
    }
}
