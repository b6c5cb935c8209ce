package import GranaryBase
import GranaryCoordination
package import GranaryCoreDataStore
package import GranaryModel
import GranarySQLite

/// What a check of a file found.
package struct StoreCheckReport: Sendable {
    /// The model that the objects were held against; nil where none could be had.
    package var model: StoreModel.Source?
    package var findings: StoreFindings
}

/// Checks a file that should be a store: SQLite's own check first, then what it says about itself, then all it holds.
package struct StoreChecker {
    private let path: String
    private let given: ManagedObjectModel?
    private var busyTimeout: Duration
    private var findings: StoreFindings

    /// - Parameter given: the model that the store should fit; nil for the store's own.
    package init(
        path: String, given: ManagedObjectModel? = nil, busyTimeout: Duration = .seconds(5), limit: Int = 10_000
    ) {
        self.path = path
        self.given = given
        self.busyTimeout = busyTimeout
        findings = StoreFindings(limit: limit)
    }

    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` when it is no Core Data store or the given model
    ///   is not sound, `busy`. Damage is a finding, as far as the file can be read.
    package static func check(
        path: String, given: ManagedObjectModel? = nil, busyTimeout: Duration = .seconds(5), limit: Int = 10_000
    ) throws(GranaryError) -> StoreCheckReport {
        var checker = StoreChecker(path: path, given: given, busyTimeout: busyTimeout, limit: limit)
        let schema = try given?.resolved()
        return try converting { try checker.run(schema) }
    }

    private mutating func run(_ schema: Schema?) throws -> StoreCheckReport {
        do { return try look(schema) } catch let error as SQLiteError {
            // The file is cut off, or the pages that say which tables there are are damaged.
            guard error.code == .corrupt else { throw error }
            findings.add(
                .storeCorrupt, "\(path): SQLite: \(error.message)",
                advice: StoreAdvice.recover)
            return StoreCheckReport(model: nil, findings: findings)
        }
    }

    private mutating func look(_ schema: Schema?) throws -> StoreCheckReport {
        let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
        if let note = connection.snapshotNote {
            if connection.isSnapshotOlder { findings.add(.storeLayout, note, severity: .note) }
            // Waiting was in vain.
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
            return StoreCheckReport(model: nil, findings: findings)
        }
        // What SQLite cannot read reliably is not worth looking into further.
        guard try FileCheck(connection: connection, objects: objects).run(&findings) else {
            return StoreCheckReport(model: nil, findings: findings)
        }
        if let problem = metadata.importLedger.problem {
            findings.add(.storeLayout, problem, severity: .warning, table: "Z_METADATA", column: "Z_PLIST")
        }
        guard let (model, source) = chosenModel(schema, metadata, isReadable: problem == nil) else {
            return StoreCheckReport(model: nil, findings: findings)
        }
        let layout = StoreLayoutBuilder.layout(for: model, present: try PresentTables(connection, objects))
        let store = SQLiteStore(
            schema: model, layout: layout, metadata: metadata, path: path, connection: connection,
            busyTimeout: busyTimeout)
        do {
            try StoreCheck(store, isInferred: source == .inferred).run(&findings)
        } catch let error as GranaryError where error.code == .refused {
            // A damaged page that the first check has overlooked, or more than a cell can hold.
            findings.add(error, advice: StoreAdvice.recover)
        }
        return StoreCheckReport(model: source, findings: findings)
    }

    /// The model to check with: the given one where it fits, else the store's own.
    ///
    /// - Parameter isReadable: whether the metadata could be read; that they could not has been told.
    private mutating func chosenModel(
        _ schema: Schema?, _ metadata: StoreMetadata, isReadable: Bool
    ) -> (Schema, StoreModel.Source)? {
        if let schema, let given {
            let differences = metadata.versionHashes.isEmpty ? [] : metadata.differences(from: schema)
            for difference in differences {
                findings.add(
                    StoreFinding(
                        diagnostic: difference, table: "Z_METADATA",
                        advice: StoreAdvice.otherModel))
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
            // Notes are about what only the model's readers use, such as the order of a fetch request.
            for warning in model.warnings where warning.severity != .note {
                // A model in the store that is broken, or another one than that of the store.
                let isOfCache = model.source == .inferred && [.modelSyntax, .storeMismatch].contains(warning.code)
                findings.add(
                    StoreFinding(
                        diagnostic: warning, table: isOfCache ? "Z_MODELCACHE" : nil,
                        column: isOfCache ? "Z_CONTENT" : nil, advice: isOfCache ? StoreAdvice.modelCache : nil))
            }
            if schema != nil {
                findings.add(
                    .storeMismatch, "the rest was checked with the store's own model (\(model.source.rawValue))",
                    severity: .note)
            }
            if model.source == .inferred {
                findings.add(
                    .storeLayout,
                    "\(path): \(StoreModel.inferenceRemark); rules, inverses and uniqueness are not known",
                    severity: .note, advice: "name the model with --model to check them")
            }
            return (model.schema, model.source)
        } catch {
            if isReadable {
                findings.add(error, advice: StoreAdvice.otherModel)
            } else {
                findings.add(
                    .storeLayout, "the rest was not checked; name the model to have it checked", severity: .note)
            }
            return nil
        }
    }

    /// Whether the model inside the store is the one that its metadata speak of.
    private mutating func checkCache(_ metadata: StoreMetadata) {
        do {
            var notes = DiagnosticCollector()
            guard
                let model = try StoreModel.cachedModel(path: path, diagnostics: &notes, busyTimeout: busyTimeout)
            else { return }
            for difference in metadata.differences(from: try model.resolved()) {
                findings.add(
                    .storeMismatch, "the model in Z_MODELCACHE is another one than the metadata speak of",
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
