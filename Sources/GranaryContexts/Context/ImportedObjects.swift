package import GranaryBase
package import GranaryCoordination
import GranaryModel

/// Runs the life-cycle and validation methods of registered classes on rows that a bulk import has written.
///
/// The import writes all rows first. Then, in the same transaction, each row of an entity with a class that does not
/// import in bulk (``ManagedObject/importsInBulk``) becomes an object, in the order of the rows:
///
/// 1. A new object gets its default values and `awakeFromInsert`. Values that the record sets replace what that method
/// set. An existing object gets `awakeFromFetch`.
/// 2. `willSave` runs until no object changes, then `validateForInsert` or `validateForUpdate`.
/// 3. Only what these methods changed is written. Objects without such methods cause no further write.
/// 4. `didSave` runs; the transaction can still be rolled back after it.
///
/// If one of these methods deletes an object that the import wrote, the record of that object is rejected: it would
/// otherwise be counted as imported. Methods may delete objects that the import did not write.
package final class ImportedObjects {
    /// A row that the import has written.
    package struct Row: Sendable {
        package let entity: Int
        package let key: Int64
        package let isNew: Bool
        /// Tells whether the record set the property in a slot.
        package let sets: @Sendable (Int) -> Bool

        package init(entity: Int, key: Int64, isNew: Bool, sets: @escaping @Sendable (Int) -> Bool) {
            self.entity = entity
            self.key = key
            self.isNew = isNew
            self.sets = sets
        }
    }

    /// A row whose object cannot be saved, which rejects its record.
    package struct Rejection {
        package let root: Int
        package let key: Int64
        package let error: GranaryError
    }

    private let context: ManagedObjectContext
    private let store: PersistentStore
    private let writer: any StoreWriter
    /// The rows whose records were rejected because their objects were deleted.
    private var deletedPlaces: Set<Place> = []

    /// How many rows become objects at a time.
    package static let batchSize = 500

    /// - Parameters:
    ///   - coordinator: has the classes and transformers.
    ///   - store: the store of the import, in whose transaction `writer` writes.
    package init(
        _ coordinator: PersistentStoreCoordinator, store: any StoreBackend, writer: any StoreWriter
    ) throws(GranaryError) {
        let copy = PersistentStoreCoordinator(
            schema: coordinator.schema, transformers: coordinator.transformers,
            objectLayouts: coordinator.objectLayouts)
        self.store = try copy.add(OpenTransaction(store, writer))
        self.writer = writer
        context = ManagedObjectContext(coordinator: copy)
    }

    /// Runs the methods of the objects of some rows.
    ///
    /// - Parameters:
    ///   - writes: false if the transaction will be rolled back, because another object cannot be saved.
    ///   - isImported: tells whether the import has written a row, by the root of its entity and its key.
    /// - Returns: the rows whose objects cannot be saved, with the reason. If there are any, nothing was written,
    ///   and the transaction is expected to be rolled back.
    /// - Throws: errors of reading and writing, and those of objects that the methods inserted or changed.
    package func run(
        _ rows: ArraySlice<Row>, writes: Bool, isImported: (_ root: Int, _ key: Int64) -> Bool
    ) throws -> [Rejection] {
        let stored = try read(rows)
        var rejected: [Rejection] = []
        var objects: [(place: Place, object: ManagedObject)] = []
        // The errors of accesses that cannot throw, in `awakeFromInsert` and `awakeFromFetch`.
        var accessErrors: [Place: any Error] = [:]
        for row in rows {
            let place = Place(row, in: context)
            guard let values = stored[place] else {
                // Written by this import, and deleted by the methods of an earlier row.
                rejected.append(rejection(place, deleted: entityName(row.entity)))
                continue
            }
            objects.append((place, context.during(.importing) { row.isNew ? insert(row, values) : update(values) }))
            if let error = context.takeAccessError() { accessErrors[place] = error }
        }
        var marks: [ObjectIdentifier: Int] = [:]
        try context.runWillSave(&marks)
        for (place, object) in objects where !object.isDeleted {
            do {
                if let error = accessErrors[place] { throw error }
                if object.isInserted {
                    try context.during(.validateForInsert, of: object) { try object.validateForInsert() }
                } else {
                    try context.during(.validateForUpdate, of: object) { try object.validateForUpdate() }
                }
                try context.throwAccessError()
            } catch {
                // Otherwise the error would reject the record of the next row.
                _ = context.takeAccessError()
                rejected.append(rejection(place, error, object))
            }
        }
        rejected += deletedRows(among: objects, isImported)
        for (_, object) in objects { release(object) }
        guard rejected.isEmpty, writes else { return rejected }
        try context.obtainPermanentIDs(for: context.inserted.inSavingOrder)
        for (place, object) in objects where object.hasPersistentChanges {
            do { try write(object) } catch let error as GranaryError where error.code == .refused {
                rejected.append(Rejection(root: place.root, key: place.key, error: error))
            }
        }
        guard rejected.isEmpty else { return rejected }
        if context.hasChanges { try context.save() }
        for (_, object) in objects { object.snapshot = nil }
        context.callDidSave(objects.map(\.object))
        try context.throwAccessError()
        return []
    }

    /// The objects of the context can no longer read or save: the transaction ends, and an object may outlive it.
    package func end() {
        // It can only fail if the store was removed already.
        try? context.persistentStoreCoordinator.remove(store)
    }

    /// Returns the rows of the import whose objects its methods have deleted.
    private func deletedRows(
        among objects: [(place: Place, object: ManagedObject)], _ isImported: (_ root: Int, _ key: Int64) -> Bool
    ) -> [Rejection] {
        var deleted = objects.filter(\.object.isDeleted).map { ($0.place, $0.object.entity.name) }
        for object in context.deleted.inSavingOrder {
            guard let key = object.objectID.key, isImported(object.objectID.root, key) else { continue }
            deleted.append((Place(root: object.objectID.root, key: key), object.entity.name))
        }
        return deleted.filter { deletedPlaces.insert($0.0).inserted }.map { rejection($0.0, deleted: $0.1) }
    }

    private func rejection(_ place: Place, deleted entity: String) -> Rejection {
        let message =
            "a method of the registered classes deletes this object during the import; leave the row out, or let the method "
            + "delete it in a later save"
        return Rejection(
            root: place.root, key: place.key,
            error: GranaryError(
                .refused, message, diagnostics: [Diagnostic(.valuePredicate, message, entity: entity)]))
    }

    private func entityName(_ index: Int) -> String { context.persistentStoreCoordinator.schema.entities[index].name }

    /// An object of the store.
    private struct Place: Hashable {
        let root: Int
        let key: Int64

        init(_ row: Row, in context: ManagedObjectContext) {
            root = context.persistentStoreCoordinator.schema.entities[row.entity].root
            key = row.key
        }

        init(root: Int, key: Int64) {
            self.root = root
            self.key = key
        }
    }

    private func read(_ rows: ArraySlice<Row>) throws -> [Place: StoredRow] {
        var found: [Place: StoredRow] = [:]
        let mark = context.readMark
        let places = Dictionary(grouping: rows.map { Place($0, in: context) }, by: \.root)
        for (root, places) in places.sorted(by: { $0.key < $1.key }) {
            let batch = try store.withLock { store in try store.read(root: root, keys: places.map(\.key)) }
            let shared = try context.share(batch, of: store, read: mark)
            for index in shared.batch.rows.indices {
                found[Place(root: root, key: shared.batch.rows[index].key)] = context.row(shared, index)
            }
        }
        return found
    }

    private func insert(_ row: Row, _ stored: StoredRow) -> ManagedObject {
        let layout = stored.layout
        let object = layout.objectClass.init(
            ManagedObject.Creation(
                layout: layout, id: stored.id, values: ObjectValues(layout.defaults), version: stored.version,
                context: context))
        context.register(object)
        context.noteInsertion(of: object)
        object.awakeFromInsert()
        let awakened = object.values
        object.row = stored
        object.values = ObjectValues(stored)
        for (slot, value) in layout.defaults.enumerated() where awakened[slot] != value && !row.sets(slot) {
            object.values[slot] = awakened[slot]
        }
        object.snapshot = ObjectValues(stored)
        return object
    }

    private func update(_ stored: StoredRow) -> ManagedObject {
        let object = context.makeFault(for: stored.id)
        object.awake(from: stored)
        object.snapshot = ObjectValues(stored)
        object.isUpdated = true
        context.updated.insert(object)
        return object
    }

    /// The row exists, so a save of the context must not insert it or raise its version.
    private func release(_ object: ManagedObject) {
        object.isInserted = false
        object.isUpdated = false
        context.inserted.remove(object)
        context.updated.remove(object)
    }

    private func write(_ object: ManagedObject) throws {
        let plan = SavePlan(context: context, store: store, inserts: [], updates: [object], deletes: [])
        // The plan writes the next version, and the import has given the row its version already.
        object.version -= 1
        defer { object.version += 1 }
        _ = try plan.write(writer, yielding: [])
    }

    private func rejection(_ place: Place, _ error: any Error, _ object: ManagedObject) -> Rejection {
        let reason: GranaryError
        if let error = error as? GranaryError, error.code == .refused {
            reason = error
        } else {
            reason = GranaryError(
                .refused, "\(error)",
                diagnostics: [Diagnostic(.valuePredicate, "\(error)", entity: object.entity.name)], underlying: error)
        }
        return Rejection(root: place.root, key: place.key, error: reason)
    }
}

extension PersistentStoreCoordinator {
    /// The entities whose imported rows become objects, by their indexes.
    package var entitiesImportedAsObjects: Set<Int> {
        Set(
            layouts.all.filter { layout in
                !layout.entity.isAbstract && layout.objectClass != ManagedObject.self
                    && !layout.objectClass.importsInBulk
            }.map(\.index))
    }
}
