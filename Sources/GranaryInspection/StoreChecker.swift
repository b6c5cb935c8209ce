import Foundation
package import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
package import GranaryModel
import GranarySQLite

/// Checks a store file: SQLite's check, the metadata and the model, then the content (``StoreCheck``).
package struct StoreChecker {
    private let path: String
    private let given: ManagedObjectModel?
    private var busyTimeout: Duration
    private var findings: StoreFindings

    /// Checks a store file. Damage becomes findings, as far as the file can be read.
    ///
    /// - Parameter given: the expected model; nil for the store's model.
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` if it is not a Core Data store or the given
    ///   model is invalid, `busy` if another process locks it.
    package static func check(
        path: String, given: ManagedObjectModel? = nil, busyTimeout: Duration = .seconds(5), limit: Int = 10_000
    ) throws(GranaryError) -> StoreCheckReport {
        var checker = StoreChecker(
            path: path, given: given, busyTimeout: busyTimeout, findings: StoreFindings(limit: limit))
        let schema = try given?.resolved()
        return try converting { try checker.run(schema) }
    }

    /// Checks a store in a database.
    ///
    /// - Parameter open: opens the store with a model; nil for the model in the store.
    /// - Throws: ``GranaryError``: as `open` throws, except that a given model which does not fit is a finding; then the
    ///   store is checked with its own model.
    package static func check(
        given: ManagedObjectModel?, limit: Int = 10_000,
        _ open: (ManagedObjectModel?) throws(GranaryError) -> any StoreBackend
    ) throws(GranaryError) -> StoreCheckReport {
        var findings = StoreFindings(limit: limit)
        var source: StoreModelSource = given == nil ? .cache : .given
        let store: any StoreBackend
        do throws(GranaryError) { store = try open(given) } catch {
            guard given != nil, error.code == .refused, !error.diagnostics.isEmpty,
                error.diagnostics.allSatisfy({ $0.code == .storeMismatch })
            else { throw error }
            findings.add(error, advice: StoreAdvice.otherModel)
            source = .cache
            store = try open(nil)
        }
        do throws(GranaryError) {
            try converting { try StoreCheck(store).run(&findings) }
        } catch {
            guard error.code == .refused else { throw error }
            findings.add(error, advice: StoreAdvice.restore)
        }
        return StoreCheckReport(model: source, findings: findings)
    }

    private mutating func run(_ schema: Schema?) throws -> StoreCheckReport {
        var source: StoreModelSource?
        do { source = try look(schema) } catch let error as SQLiteError {
            // The file is truncated, or the pages of the database schema are damaged.
            guard error.code == .corrupt else { throw error }
            findings.add(.storeCorrupt, "\(path): SQLite: \(error.message)", advice: StoreAdvice.recover)
        }
        // Another finding may be a reason for which an export, or the import of it, is refused.
        if findings.findings.contains(where: { $0.advice == StoreAdvice.copyObjects }),
            findings.findings.contains(where: { $0.diagnostic.code == .uniqueDuplicate })
                || !ExportTrial.works(path: path, model: source == .given ? given : nil, busyTimeout: busyTimeout)
        {
            findings.replace(advice: StoreAdvice.copyObjects, with: StoreAdvice.restore)
        }
        return StoreCheckReport(model: source, findings: findings)
    }

    /// - Returns: the source of the model that was used; nil if the content was not checked.
    private mutating func look(_ schema: Schema?) throws -> StoreModelSource? {
        let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
        if let note = connection.snapshotNote {
            if connection.isSnapshotOlder { findings.add(.storeLayout, note, severity: .note) }
            // Waiting again would be useless.
            busyTimeout = .zero
        }
        let objects = try connection.schema()
        let (metadata, problem) = try StoreMetadata.readDamaged(connection, objects)
        if let problem {
            findings.add(
                .storeCorrupt, problem.message, table: "Z_METADATA", column: "Z_PLIST",
                advice: StoreAdvice.copyObjects)
        }
        let rows = try StoreMetadata.rowCount(connection)
        if rows > 1 {
            findings.add(
                .storeLayout, "Z_METADATA has \(rows) rows; there must be one", table: "Z_METADATA",
                advice: StoreAdvice.copyObjects)
        }
        do { try SQLiteStore.checkLength(connection) } catch let error as GranaryError {
            findings.add(error, advice: StoreAdvice.restore)
            return nil
        }
        // A file that SQLite cannot read reliably is not checked further.
        guard try FileCheck(connection: connection, objects: objects).run(&findings) else {
            return nil
        }
        if let problem = metadata.importLedger.problem {
            findings.add(.storeLayout, problem, severity: .warning, table: "Z_METADATA", column: "Z_PLIST")
        }
        guard let (model, source) = chosenModel(schema, metadata, isReadable: problem == nil) else {
            return nil
        }
        let layout = StoreLayoutBuilder.layout(for: model, present: try PresentTables(connection, objects))
        let store = SQLiteStore(
            schema: model, layout: layout, metadata: metadata, path: path, connection: connection,
            busyTimeout: busyTimeout)
        do {
            try StoreCheck(store, isInferred: source == .inferred).run(&findings)
        } catch let error as GranaryError where error.code == .refused {
            // A damaged page that SQLite's check did not find, or a value larger than the limit.
            findings.add(error, advice: StoreAdvice.recover)
        }
        return source
    }

    /// Chooses the model to check with: the given one if it fits the store, otherwise the store's model.
    ///
    /// - Parameter isReadable: whether the metadata could be read; if not, there already is a finding.
    private mutating func chosenModel(
        _ schema: Schema?, _ metadata: StoreMetadata, isReadable: Bool
    ) -> (Schema, StoreModel.Source)? {
        if let schema, let given {
            let differences = metadata.versionHashes.isEmpty ? [] : metadata.differences(from: schema)
            for difference in differences {
                findings.add(
                    StoreFinding(diagnostic: difference, table: "Z_METADATA", advice: StoreAdvice.otherModel))
            }
            if differences.isEmpty {
                checkCache(metadata)
                let model = try? StoreModel.read(path: path, given: given, busyTimeout: busyTimeout)
                return (model?.schema ?? schema, .given)
            }
        }
        do {
            let model = try StoreModel.read(
                path: path, given: nil, busyTimeout: busyTimeout, toleratesDanglingKeys: true)
            // Notes concern data that stores do not use, such as the order of a fetch request.
            for warning in model.warnings where warning.severity != .note {
                // The embedded model is broken, or does not match the store.
                let isOfCache = model.source == .inferred && [.modelSyntax, .storeMismatch].contains(warning.code)
                findings.add(
                    StoreFinding(
                        diagnostic: warning, table: isOfCache ? "Z_MODELCACHE" : nil,
                        column: isOfCache ? "Z_CONTENT" : nil, advice: isOfCache ? StoreAdvice.modelCache : nil))
            }
            if schema != nil {
                findings.add(
                    .storeMismatch, "the rest was checked with the store's model (\(model.source.rawValue))",
                    severity: .note)
            }
            if model.source == .inferred {
                findings.add(
                    .storeLayout,
                    "\(path): \(StoreModel.inferenceRemark); rules, inverses and uniqueness are not known",
                    severity: .note, advice: "provide the model to check them")
            }
            return (model.schema, model.source)
        } catch {
            if isReadable {
                findings.add(error, advice: StoreAdvice.otherModel)
            } else {
                findings.add(
                    .storeLayout, "the rest was not checked; provide the model to check it", severity: .note)
            }
            return nil
        }
    }

    /// Checks that the embedded model has the version hashes of the metadata.
    private mutating func checkCache(_ metadata: StoreMetadata) {
        do {
            var notes = DiagnosticCollector()
            guard
                let model = try StoreModel.cachedModel(path: path, diagnostics: &notes, busyTimeout: busyTimeout)
            else { return }
            for difference in metadata.differences(from: try model.resolved()) {
                findings.add(
                    .storeMismatch, "the model in Z_MODELCACHE does not match the metadata",
                    severity: .warning, entity: difference.entity, table: "Z_MODELCACHE", column: "Z_CONTENT",
                    advice: StoreAdvice.modelCache)
            }
        } catch {
            findings.add(
                .storeCorrupt, "the model in Z_MODELCACHE cannot be read: \(error.message)", severity: .warning,
                table: "Z_MODELCACHE", column: "Z_CONTENT", advice: StoreAdvice.modelCache)
        }
    }
}
