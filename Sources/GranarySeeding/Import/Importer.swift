import Foundation
package import GranaryBase
public import GranaryFormats
package import GranaryModel
public import GranaryPersistence

/// Imports records into a store: every row checked against the model, all of them or none.
///
/// ```swift
/// let report = try await Importer(entity: "Patient", options: options).run(CSVReader(url: file), into: container)
/// ```
///
/// The way of a record: the reader makes a ``Record`` of its bytes; ``ColumnPlan`` knows which property each field is
/// for; ``FieldParser`` reads the value, straight from the bytes; the entity's validator checks it; ``RowBatch`` carries
/// it to the store's writer, which works on the calling thread while reading goes on beside it. References are set at
/// the end, when every row is known. All is one transaction.
public struct Importer: Sendable {
    private let entity: String?
    private let options: ImportOptions

    /// - Parameter entity: what the records are; nil where the source names its entities itself.
    public init(entity: String?, options: ImportOptions = ImportOptions()) {
        self.entity = entity
        self.options = options
    }

    /// Imports everything that `reader` gives.
    ///
    /// - Returns: the ledger: what became of every record.
    /// - Throws: ``GranaryError`` with code `refused` and the diagnostics when anything is wrong: the store is then as it
    ///   was.
    public func run(_ reader: sending any RecordReader, into container: PersistentContainer) async throws
        -> ImportReport
    {
        let work = ImportWork(importer: self, reader: reader, container: container)
        let report = try await work.run()
        if report.isRefused {
            throw GranaryError(.refused, "nothing was imported: " + report.ledger, diagnostics: report.diagnostics)
        }
        return report
    }

    /// Imports everything that the readers give, one after the other, as one transaction.
    ///
    /// - Returns: the ledger; where it says ``ImportReport/isRefused`` the store is as it was.
    /// - Throws: ``GranaryError``: `usage` for options that do not fit the model, `interrupted` after `cancellation`, or as
    ///   reading and writing throw.
    package func run(
        _ readers: [any RecordReader], into store: any PersistentStore, cancellation: ImportCancellation? = nil
    ) throws -> ImportReport {
        let start = ContinuousClock.now
        let schema = store.schema
        let target = try target(in: schema)
        var result: ImportReport?
        do {
            try store.transaction { writer in
                let session = try makeSession(schema, target, store, writer)
                try pump(readers, through: session, into: writer, cancellation)
                try session.finish(Self.access(schema, store, writer))
                if !session.hasErrors {
                    try CountCheck(schema: schema, store: store, target: target).run(session)
                }
                result = session.finishedReport()
                result?.isDryRun = options.isDryRun
                if session.hasErrors || options.isDryRun { throw TakenBack() }
                for (root, key) in session.keysGiven.last where key > 0 {
                    try writer.reserveKeys(root: root, through: key)
                }
                try writer.completeOrder()
            }
        } catch is TakenBack {
        } catch let error as GranaryError where error.underlying is TakenBack {
        }
        guard var report = result else { throw GranaryError(.internalDefect, "the import ended without a report") }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// Ends the transaction without keeping what it wrote.
    private struct TakenBack: Error {}

    /// Refuses an entity that `schema` does not have, before anything is opened.
    package func check(against schema: Schema) throws(GranaryError) { _ = try target(in: schema) }

    private func target(in schema: Schema) throws(GranaryError) -> Schema.Entity? {
        guard let entity else { return nil }
        guard let found = schema.entity(named: entity) else {
            let hint = NearestText.hint(for: entity, in: schema.entities.map(\.name))
            throw GranaryError(.usage, "the model has no entity \"\(entity)\"\(hint)")
        }
        guard !found.isAbstract else {
            throw GranaryError(
                Diagnostic(
                    .entityAbstract, "\(entity) is abstract: it has no objects of its own, only its subentities do",
                    entity: entity))
        }
        return found
    }

    private func makeSession(
        _ schema: Schema, _ target: Schema.Entity?, _ store: any PersistentStore, _ writer: any StoreWriter
    ) throws -> ImportSession {
        let entities = target.map { [$0.index] } ?? schema.entities.filter { !$0.isAbstract }.map(\.index)
        var keys = TrackedKeys(schema: schema, entities: entities)
        // The look-ups' indexes are made before anything is read, so that the store is read before it is written.
        for entity in entities {
            var plan = ColumnPlan(entity: schema.entities[entity], schema: schema, options: options)
            try plan.trackLookups(in: &keys)
        }
        var isEmpty = true
        for entity in schema.entities where isEmpty { isEmpty = try store.count(entity: entity.index) == 0 }
        if !isEmpty { try keys.load(from: store) }
        var lastKeys: [Int: Int64] = [:]
        for root in schema.entities where root.superentity == nil {
            lastKeys[root.index] = try writer.reserveKeys(root: root.index, count: 0) - 1
        }
        return ImportSession(
            schema: schema, entity: target, options: options, keys: keys, lastKeys: lastKeys,
            keepsExactDecimals: store.keepsExactDecimals, keepsIdentifiers: isEmpty)
    }

    /// Reads on a thread of its own, writes on this one.
    private func pump(
        _ readers: [any RecordReader], through session: ImportSession, into writer: any StoreWriter,
        _ cancellation: ImportCancellation?
    ) throws {
        let queue = BatchQueue()
        let work = ReadingWork(readers: readers, session: session)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            work.run(into: queue, cancellation)
            queue.finish()
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        var failure: (any Error)?
        while true {
            if cancellation?.isCancelled ?? false {
                // The reading thread ends at its next record, or stays behind where its source gives no more bytes;
                // nobody uses what it has.
                queue.stop()
                throw GranaryError(.interrupted, "interrupted; the store is as it was")
            }
            let batch: RowBatch
            switch queue.take() {
            case .batch(let next): batch = next
            case .nothingYet: continue
            case .end:
                done.wait()
                if let failure { throw failure }
                if cancellation?.isCancelled ?? false {
                    throw GranaryError(.interrupted, "interrupted; the store is as it was")
                }
                if let failure = work.failure { throw failure }
                return
            }
            if failure == nil, !work.sawErrors.value {
                do { try writer.insert(batch) } catch {
                    failure = error
                    queue.stop()
                }
            }
            queue.giveBack(batch)
        }
    }

    private static func access(
        _ schema: Schema, _ store: any PersistentStore, _ writer: any StoreWriter
    ) -> ReferenceTable.StoreAccess {
        ReferenceTable.StoreAccess(
            set: { try set($0, ownerEntity: $1, $2, $3, schema, writer) },
            link: { try writer.setLinks($0, owner: $2, ownerEntity: $1, to: $3) },
            holders: { relationship in
                var holders: [Int64: Int64] = [:]
                if relationship.isToMany {
                    try store.readLinks(of: relationship, owners: nil) { holders[$0.destination] = $0.owner }
                    return holders
                }
                try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
                    for row in batch.rows.indices {
                        guard case .reference(_, let key) = batch[row, relationship.slot] else { continue }
                        holders[key] = batch.rows[row].key
                    }
                    return true
                }
                return holders
            })
    }

    /// Sets a reference that was found late, and the other end of a one-to-one.
    private static func set(
        _ relationship: Schema.Relationship, ownerEntity: Int, _ owner: Int64, _ entry: KeyIndex.Entry,
        _ schema: Schema, _ writer: any StoreWriter
    ) throws {
        try writer.setReference(relationship, owner: owner, entity: Int(entry.entity), destination: entry.key)
        guard let inverse = relationship.inverse else { return }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        if !other.isToMany {
            // The concrete entity: a store keeps it beside the key.
            try writer.setReference(other, owner: entry.key, entity: ownerEntity, destination: owner)
        }
    }
}
