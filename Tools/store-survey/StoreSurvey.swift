import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// Opens a store without other information, and compares all its content with plain SQL.
enum StoreSurvey {
    static func line(for file: FoundFile, known: KnownHashes) -> SurveyLine {
        var line = SurveyLine(.store, file.shownPath)
        let before = FileState.states(ofStore: file.path)
        do {
            line.store = try findings(file.path, known, &line.warnings)
        } catch {
            line.error = ErrorText.line(error)
        }
        line.changedFiles = FileState.changes(before, FileState.states(ofStore: file.path))
        return line
    }

    private static func findings(
        _ path: String, _ known: KnownHashes, _ warnings: inout Int
    ) throws -> StoreFigures {
        let plain = try PlainStore(path: path)
        let model = try bestModel(path, plain, known)
        warnings = model.warnings.count
        let store = try SQLiteStore.open(
            path: path, schema: model.schema, readOnly: true, isInferred: model.source == .inferred,
            comparesHashes: model.comparesHashes)
        var findings = StoreFigures(
            modelSource: model.source.rawValue, frameworkVersion: store.metadata.frameworkVersion,
            entities: store.schema.entities.count)
        for table in store.layout.tables { findings.storedRows += try plain.count(ofTable: table.name) }
        for entity in store.schema.entities {
            compare(entity, store, plain, &findings.compared)
        }
        findings.findings = try check(store, isInferred: model.source == .inferred)
        return findings
    }

    /// The store's model, or a known model with its hashes if it would have to be inferred.
    private static func bestModel(_ path: String, _ plain: PlainStore, _ known: KnownHashes) throws -> StoreModel {
        let own = try StoreModel.read(path: path)
        guard own.source == .inferred, let given = known.model(for: try plain.versionHashes()) else { return own }
        return try StoreModel.read(path: path, given: given)
    }

    private static func compare(
        _ entity: Schema.Entity, _ store: SQLiteStore, _ plain: PlainStore, _ counts: inout ComparisonCounts
    ) {
        do {
            counts.add(try EntityComparison(store, plain, entity).run())
        } catch {
            counts.addFailure("\(entity.name): \(ErrorText.line(error))")
        }
        for relationship in entity.relationships
        where relationship.isToMany && relationship.isPersistent && relationship.owner == entity.index {
            do {
                counts.add(try LinkComparison(store: store, plain: plain, relationship: relationship).run())
            } catch {
                counts.addFailure("\(entity.name).\(relationship.name): \(ErrorText.line(error))")
            }
        }
    }

    private static func check(_ store: SQLiteStore, isInferred: Bool) throws -> [String: Int] {
        var collector = DiagnosticCollector()
        try StoreCheck(store, isInferred: isInferred).run(&collector)
        var counts: [String: Int] = [:]
        for (code, count) in collector.counts { counts[code.rawValue] = count }
        return counts
    }
}
