import Foundation
package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
package import GranaryModel
import GranaryPropertyLists
import GranarySQLite

/// Describes a store without changing it, with or without its model.
///
/// Not `Sendable`: it holds a connection.
package final class StoreInspector {
    let path: String
    let connection: Connection
    let objects: [SchemaObject]
    let metadata: StoreMetadata
    let present: PresentTables
    private let metadataProblem: GranaryError?
    private let busyTimeout: Duration

    /// Opens a store for reading.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` if it is not a Core Data store, `busy` if
    ///   another process locks it for longer than `busyTimeout`.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(GranaryError) {
        let opened = try converting {
            let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
            let objects = try connection.schema()
            let (metadata, problem) = try StoreMetadata.readDamaged(connection, objects)
            return (connection, objects, metadata, problem, try PresentTables(connection, objects))
        }
        self.path = path
        // A copy is read if waiting was useless.
        self.busyTimeout = opened.0.snapshotNote == nil ? busyTimeout : .zero
        connection = opened.0
        objects = opened.1
        metadata = opened.2
        metadataProblem = opened.3
        present = opened.4
    }

    /// - Parameter given: the expected model. If it does not fit, the summary has the differences, and describes the
    ///   store without it.
    /// - Throws: ``GranaryError`` with code `refused` also if the given model is invalid.
    package func summary(given: ManagedObjectModel? = nil) throws(GranaryError) -> StoreSummary {
        var summary = StoreSummary(
            identifier: metadata.identifier, frameworkVersion: metadata.frameworkVersion,
            system: metadata.frameworkVersion.flatMap(FrameworkVersion.system))
        if let problem = metadataProblem { summary.addProblem(problem.message) }
        let givenSchema = try given?.resolved()
        if let givenSchema { compare(givenSchema, &summary) }
        let model = readModel(summary.fits == false ? nil : given, &summary)
        summary.model = model?.source
        return try converting {
            try connection.transaction(.deferred) {
                let store = model.map { self.store($0.schema) }
                try addEntities(to: &summary, store)
                summary.pragmas.append(("journal_mode", try connection.journalMode() ?? ""))
                for name in ["page_size", "page_count", "auto_vacuum", "encoding", "user_version"] {
                    summary.pragmas.append((name, try connection.text(pragma: name) ?? ""))
                }
                try addHistory(to: &summary)
                if let store { try addExternal(to: &summary, store) }
                try addLeftovers(to: &summary, store, isInferred: model?.source == .inferred)
                addMetadata(to: &summary)
                try addDamage(to: &summary)
                addRuns(to: &summary)
                addLogWarning(to: &summary)
                return summary
            }
        }
    }

    /// The store with the layout of a model. It is not checked, so tables may be missing.
    private func store(_ schema: Schema) -> SQLiteStore {
        SQLiteStore(
            schema: schema, layout: StoreLayoutBuilder.layout(for: schema, present: present), metadata: metadata,
            path: path, connection: connection, busyTimeout: busyTimeout)
    }

    private func readModel(_ given: ManagedObjectModel?, _ summary: inout StoreSummary) -> StoreModel? {
        do throws(GranaryError) {
            let model = try StoreModel.read(path: path, given: given, busyTimeout: busyTimeout)
            for warning in model.warnings {
                summary.remarks.append((warning.entity.map { "\($0): " } ?? "") + warning.message)
            }
            if model.source == .inferred { summary.remarks.append(StoreModel.inferenceRemark) }
            return model
        } catch {
            // Without a model, the entities come from Z_PRIMARYKEY.
            if metadataProblem == nil {
                summary.addProblem(error.message)
                for diagnostic in error.diagnostics.prefix(20) { summary.addProblem(diagnostic.statement) }
            }
            return nil
        }
    }

    private func compare(_ given: Schema, _ summary: inout StoreSummary) {
        let stored = metadata.versionHashes
        guard !stored.isEmpty else { return }
        let differences = metadata.differences(from: given)
        summary.fits = differences.isEmpty
        guard !differences.isEmpty else { return }
        for difference in differences {
            summary.remarks.append("\(difference.entity ?? ""): \(difference.message)")
        }
        var notes = DiagnosticCollector(limit: 0)
        let cached = (try? StoreModel.cachedModel(path: path, diagnostics: &notes, busyTimeout: busyTimeout))
            .flatMap { try? $0.resolved() }
        for name in differences.compactMap(\.entity) {
            switch (stored[name], given.versionHashes[name]) {
            case (_?, nil): summary.differences.append(EntityDifference(entity: name, what: .onlyInStore))
            case (nil, _?): summary.differences.append(EntityDifference(entity: name, what: .onlyInModel))
            default:
                var difference = EntityDifference(entity: name, what: .hash)
                if let cached, let old = cached.entity(named: name), let new = given.entity(named: name) {
                    difference.properties = EntityDifference.changes(old, in: cached, new, in: given)
                }
                summary.differences.append(difference)
            }
        }
    }

    /// Adds problems for which Granary does not open the store.
    private func addDamage(to summary: inout StoreSummary) throws {
        do { try SQLiteStore.checkLength(connection) } catch let error as GranaryError {
            summary.addProblem(error.message)
        }
        let rows = try StoreMetadata.rowCount(connection)
        if rows > 1 { summary.addProblem("Z_METADATA has \(rows) rows; there must be one") }
    }

    private func addMetadata(to summary: inout StoreSummary) {
        summary.versionIdentifiers = metadata.versionIdentifiers
        summary.userKeys = metadata.entries.map(\.key).filter { key in
            key != StoreMetadata.migrationKey
                && !["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
        }.sorted()
    }

    private func addRuns(to summary: inout StoreSummary) {
        let runs = StoreRuns(metadata.importLedger, path: path)
        (summary.runs, summary.droppedRuns) = (runs.ledgerRuns, runs.droppedRuns)
        if let problem = runs.problem { summary.remarks.append(problem) }
    }

    private func addLogWarning(to summary: inout StoreSummary) {
        if let note = connection.snapshotNote { summary.remarks.append(note) }
        let log = path + "-wal"
        let size = (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? NSNumber
        guard let size, size.int64Value > 0 else { return }
        summary.remarks.append(
            "the store has a write-ahead log of \(size) bytes; copy both files, or checkpoint first"
        )
    }
}
