import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

extension StoreInspector {
    func addHistory(to summary: inout StoreSummary) throws {
        guard HistoryTables.arePresent(present) else { return }
        var history = StoreSummary.History()
        defer { summary.history = history }
        let problems = HistoryTables.readingProblems(present)
        guard problems.isEmpty else {
            for problem in problems { summary.addProblem(problem.message) }
            return
        }
        if let problem = HistoryTables.problems(present).first { summary.remarks.append(problem.message) }
        history.transactions = try rows(of: "ATRANSACTION")
        history.changes = try rows(of: "ACHANGE")
        try TableDamage.naming("ATRANSACTION", path) { try addTimesAndAuthors(to: &history) }
    }

    private func rows(of table: String) throws -> Int {
        try TableDamage.naming(table, path) {
            Int(clamping: try connection.integer("SELECT COUNT(*) FROM \(table)") ?? 0)
        }
    }

    private func addTimesAndAuthors(to history: inout StoreSummary.History) throws {
        let times = try connection.prepare(
            "SELECT MIN(ZTIMESTAMP), MAX(ZTIMESTAMP) FROM ATRANSACTION WHERE typeof(ZTIMESTAMP) IN ('real', 'integer')")
        if try times.step(), !times.isNull(at: 0) {
            history.first = Self.text(ofDate: times.double(at: 0))
            history.last = Self.text(ofDate: times.double(at: 1))
        }
        let authors = try connection.prepare(
            """
            SELECT DISTINCT substr(\(HistoryTables.texts(present)[0]), 1, 200) AS author FROM ATRANSACTION t
            WHERE author IS NOT NULL LIMIT 100
            """)
        while try authors.step() { history.authors.append(Diagnostic.shortened(authors.lossyText(at: 0))) }
        history.authors.sort()
    }

    /// The date in ISO 8601; nil if it is outside the calendar's range.
    private static func text(ofDate seconds: Double) -> String? {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }

    func addExternal(to summary: inout StoreSummary, _ store: SQLiteStore) throws {
        guard summary.model != .inferred else { return }
        var external = StoreSummary.External()
        var isPresent = false
        var files = ExternalFileCheck.files(ofStore: path)
        for entity in store.schema.entities where !entity.isAbstract {
            guard let columns = store.sql.entities[entity.index].external, let names = present[columns.table],
                (["Z_ENT"] + columns.names).allSatisfy(names.contains)
            else { continue }
            isPresent = true
            for name in columns.names {
                let shown = "\(columns.table).\(name)"
                if !external.columns.contains(shown) { external.columns.append(shown) }
                try TableDamage.naming(columns.table, path) {
                    try add(SQL.quoteIdentifier(name), of: entity, in: columns.table, to: &external, unused: &files)
                }
            }
        }
        external.unusedFiles = files.count
        guard isPresent || !files.isEmpty else { return }
        summary.external = external
        if external.missingFiles > 0 {
            let end = external.missingFiles == 1 ? "" : "s"
            summary.addProblem("\(external.missingFiles) external data file\(end) cannot be read")
        }
    }

    /// Counts the values of a column with external storage, and removes their files from `unused`.
    private func add(
        _ column: String, of entity: Schema.Entity, in table: String, to external: inout StoreSummary.External,
        unused files: inout Set<String>
    ) throws {
        let statement = try connection.prepare(
            """
            SELECT substr(\(column), 1, 64) FROM \(SQL.quoteIdentifier(table))
            WHERE Z_ENT = \(entity.number) AND typeof(\(column)) = 'blob'
            """)
        while try statement.step() {
            let stored = try statement.blob(at: 0)
            guard let file = ExternalData.fileName(in: stored) else {
                if stored.first == ExternalData.inlineTag { external.inlineValues += 1 }
                continue
            }
            files.remove(file)
            external.files += 1
            let place = ExternalData.file(file, ofStore: path)
            if ExternalFileCheck.problem(of: place) == nil {
                external.bytes = external.bytes.addingReportingOverflow(Self.size(of: place)).partialValue
            } else {
                external.missingFiles += 1
            }
        }
    }

    private static func size(of file: String) -> Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// Adds tables, views and indexes that do not belong to the model, CloudKit's tables, and triggers.
    func addLeftovers(to summary: inout StoreSummary, _ store: SQLiteStore?, isInferred: Bool) throws {
        let history = Set(HistoryTables.all.map(\.name))
        let triggers = store.map { KnownTriggers(schema: $0.schema, layout: $0.layout) }
        var known = Set(StoreLayout.bookkeepingTables).union(history).union(PresentTables.shadowTables(objects))
        known.formUnion(triggers?.trees.map(\.name) ?? [])
        if let store { known.formUnion(store.layout.tables.map(\.name) + store.layout.joinTables.map(\.name)) }
        for object in objects {
            switch object.type {
            case "trigger":
                let hasCoreDataName = KnownTriggers.namePrefixes.contains(where: object.name.hasPrefix)
                if triggers?.contains(object) ?? hasCoreDataName || isInferred && hasCoreDataName {
                    summary.derivedTriggers.append(object.name)
                } else {
                    summary.addProblem(
                        "the trigger \"\(Diagnostic.shortened(object.name))\" is not one of Core Data's for this model")
                }
            case "table" where object.name.hasPrefix("ANSCK"): summary.cloudTables.append(object.name)
            case "table" where store != nil && !known.contains(object.name) && !object.name.hasPrefix("sqlite_"):
                summary.leftovers.append("table \(Diagnostic.shortened(object.name))")
            case "view": summary.leftovers.append("view \(Diagnostic.shortened(object.name))")
            default: break
            }
        }
        if !summary.cloudTables.isEmpty {
            summary.remarks.append(
                "the store is mirrored to CloudKit; Granary reads such stores, but does not write them")
        }
        for tree in triggers?.trees ?? [] where objects.contains(where: { $0.name == tree.name }) {
            guard !tree.triggers.contains(where: { trigger in objects.contains { $0.name == trigger.name } }) else {
                continue
            }
            summary.remarks.append(
                "the R-tree \(Diagnostic.shortened(tree.name)) has no triggers, as after a migration; Granary reads such a "
                    + "store, but does not write it")
        }
        guard let store, !isInferred else { return }
        try addLeftoverIndexes(to: &summary, store)
    }

    private func addLeftoverIndexes(to summary: inout StoreSummary, _ store: SQLiteStore) throws {
        let wanted = IndexSQL(schema: store.schema, layout: store.layout).wanted()
        let tables = Set(store.layout.tables.map(\.name) + store.layout.joinTables.map(\.name))
        let wantedByTable = Dictionary(grouping: wanted, by: \.table)
        let found = try PresentIndexes(connection, tables: tables.filter { present[$0] != nil })
        for table in tables.sorted(by: utf8Less) {
            for index in found.byTable[table] ?? [] where !index.name.hasPrefix("sqlite_") {
                let isWanted = (wantedByTable[table] ?? []).contains {
                    // Older frameworks index the columns of a join table separately.
                    $0.name == index.name
                        || $0.condition == index.condition && $0.columns.starts(with: index.columns)
                        || store.layout.joinTables.contains { $0.name == table && [$0.firstColumn] == index.columns }
                }
                if !isWanted { summary.leftovers.append("index \(Diagnostic.shortened(index.name))") }
            }
        }
    }
}
