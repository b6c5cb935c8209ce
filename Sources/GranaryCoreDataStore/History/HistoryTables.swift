package import GranaryBase
import GranaryCoordination
import GranaryModel

/// The tables of a store's persistent history (sqlite-layout §11), and the form of a model's entities in them.
package struct HistoryTables: Sendable {
    /// A table of the history and Core Data's internal entity for it.
    package struct Table: Sendable {
        package let name: String
        /// `Z_ENT`.
        package let number: Int64
        /// `Z_NAME`.
        package let entity: String
        let columns: [String]
    }

    static let change = Table(
        name: "ACHANGE", number: 16_001, entity: "CHANGE",
        columns: [
            "Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZCHANGETYPE INTEGER", "ZENTITY INTEGER",
            "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB",
        ])
    static let transaction = Table(
        name: "ATRANSACTION", number: 16_002, entity: "TRANSACTION",
        columns: [
            "Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZAUTHORTS INTEGER", "ZBUNDLEIDTS INTEGER",
            "ZCONTEXTNAMETS INTEGER", "ZPROCESSIDTS INTEGER", "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR",
            "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR", "ZPROCESSID VARCHAR", "ZQUERYGEN BLOB",
        ])
    static let string = Table(
        name: "ATRANSACTIONSTRING", number: 16_003, entity: "TRANSACTIONSTRING",
        columns: ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZNAME VARCHAR"])

    package static let all = [change, transaction, string]

    private static let indexes = [
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]

    /// The number of columns `ZTOMBSTONE0`, `ZTOMBSTONE1` … of `ACHANGE`.
    let tombstoneCount: Int
    /// The entities by index.
    let entities: [HistoryEntity]

    /// The tables of a new history.
    init(schema: Schema) {
        entities = schema.entities.map(HistoryEntity.init)
        tombstoneCount = entities.map(\.tombstones.count).max() ?? 0
    }

    /// The tables of an existing history; nil if the file has none, or one with ``problems(_:)``.
    init?(schema: Schema, present: PresentTables) {
        guard Self.arePresent(present), Self.problems(present).isEmpty else { return nil }
        entities = schema.entities.map(HistoryEntity.init)
        let names = Set(present[Self.change.name] ?? [])
        let wanted = entities.map(\.tombstones.count).max() ?? 0
        tombstoneCount = (0..<wanted).prefix { names.contains(Self.tombstoneColumn($0)) }.count
    }

    package static func arePresent(_ present: PresentTables) -> Bool {
        all.contains { present[$0.name] != nil }
    }

    /// The reasons why Granary cannot write to a history. Frameworks before 1145 may use other columns.
    package static func problems(_ present: PresentTables) -> [Diagnostic] {
        guard arePresent(present) else { return [] }
        var found: [Diagnostic] = []
        for table in all {
            guard let names = present[table.name] else { continue }
            let wanted = table.columns.compactMap { $0.split(separator: " ").first.map(String.init) }
            if let missing = wanted.first(where: { !names.contains($0) }) {
                found.append(problem("the table \(table.name) of its persistent history has no column \(missing)"))
            }
        }
        for table in all where present[table.name] == nil {
            found.append(problem("the table \(table.name) of its persistent history is missing"))
        }
        return found
    }

    private static func problem(_ text: String) -> Diagnostic {
        Diagnostic(.storeLayout, "\(text), so Granary cannot record changes in it, and apps would miss them")
    }

    static func tombstoneColumn(_ place: Int) -> String { "ZTOMBSTONE\(place)" }

    /// The names `ZTOMBSTONE0`, `ZTOMBSTONE1` …
    var tombstoneColumns: [String] { (0..<tombstoneCount).map(Self.tombstoneColumn) }

    /// The statements that create the tables, in Core Data's order. They come after the statements for all other
    /// tables.
    func creationSQL() -> [String] {
        var statements: [String] = []
        for table in Self.all {
            let tombstones = table.name == Self.change.name ? tombstoneColumns.map { "\($0) BLOB" } : []
            let columns = (table.columns + tombstones).joined(separator: ", ")
            statements.append("CREATE TABLE \(table.name) ( \(columns) )")
        }
        statements += Self.indexes
        for table in Self.all {
            statements.append(
                "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                    + "VALUES (\(table.number), '\(table.entity)', 0, 0)")
        }
        return statements
    }
}
