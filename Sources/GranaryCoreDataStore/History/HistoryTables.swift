package import GranaryBase
import GranaryCoordination
import GranaryModel

/// The tables of a store's persistent history (docs/core-data/sqlite-layout.md#persistent-history), and the form of a
/// model's entities in them.
package struct HistoryTables: Sendable {
    /// A table of the history and Core Data's internal entity for it.
    package struct Table: Sendable {
        package let name: String
        /// `Z_ENT`.
        package let number: Int64
        /// `Z_NAME`.
        package let entity: String
        let columns: [String]

        var columnNames: [String] {
            columns.compactMap { $0.split(separator: " ").first.map(String.init) }
        }
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
    /// Whether `ACHANGE` has the column `ZCOLUMNS`.
    let hasColumns: Bool
    /// The SQL of a transaction's texts: ``texts(_:)``.
    let texts: [String]

    /// The tables of a new history.
    init(schema: Schema) {
        entities = schema.entities.map(HistoryEntity.init)
        tombstoneCount = entities.map(\.tombstones.count).max() ?? 0
        hasColumns = true
        var present = PresentTables()
        for table in Self.all { present[table.name] = table.columnNames }
        texts = Self.texts(present)
    }

    /// The tables of an existing history; nil if the file has none, or one with ``readingProblems(_:)``.
    init?(schema: Schema, present: PresentTables) {
        guard Self.arePresent(present), Self.readingProblems(present).isEmpty else { return nil }
        entities = schema.entities.map(HistoryEntity.init)
        let names = Set(present[Self.change.name] ?? [])
        let wanted = entities.map(\.tombstones.count).max() ?? 0
        tombstoneCount = (0..<wanted).prefix { names.contains(Self.tombstoneColumn($0)) }.count
        hasColumns = names.contains("ZCOLUMNS")
        texts = Self.texts(present)
    }

    package static func arePresent(_ present: PresentTables) -> Bool {
        all.contains { present[$0.name] != nil }
    }

    /// The reasons why Granary cannot write to a history. Frameworks before 1145 may use other columns, and framework
    /// 851 has no table for strings.
    package static func problems(_ present: PresentTables) -> [Diagnostic] {
        guard arePresent(present) else { return [] }
        return missing(present, all.map { ($0, $0.columnNames) }).map { text in
            problem("\(text), so Granary cannot record changes in it, and apps would miss them")
        }
    }

    /// The reasons why Granary cannot read a history.
    package static func readingProblems(_ present: PresentTables) -> [Diagnostic] {
        guard arePresent(present) else { return [] }
        var needed = [
            (change, columns: ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]),
            (transaction, columns: ["Z_PK", "ZTIMESTAMP"]),
        ]
        if present[transaction.name]?.contains("ZAUTHORTS") == true {
            needed.append((string, columns: ["Z_PK", "ZNAME"]))
        }
        return missing(present, needed).map { problem("\($0), so it cannot be read") }
    }

    private static func missing(_ present: PresentTables, _ needed: [(Table, columns: [String])]) -> [String] {
        var found: [String] = []
        for (table, columns) in needed {
            guard let names = present[table.name] else { continue }
            if let missing = columns.first(where: { !names.contains($0) }) {
                found.append("the table \(table.name) of its persistent history has no column \(missing)")
            }
        }
        for (table, _) in needed where present[table.name] == nil {
            found.append("the table \(table.name) of its persistent history is missing")
        }
        return found
    }

    /// The SQL of a transaction's author, context name, bundle and process, in this order, for `ATRANSACTION t`.
    /// Framework 851 stores the texts in the transactions, newer ones in their own table.
    package static func texts(_ present: PresentTables) -> [String] {
        let columns = Set(present[transaction.name] ?? [])
        let hasStrings = present[string.name].map { $0.contains("Z_PK") && $0.contains("ZNAME") } ?? false
        return ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"].map { name in
            let own = columns.contains(name) ? "t.\(name)" : "NULL"
            guard hasStrings, columns.contains("\(name)TS") else { return own }
            return "IFNULL((SELECT ZNAME FROM \(string.name) s WHERE s.Z_PK = t.\(name)TS), \(own))"
        }
    }

    private static func problem(_ text: String) -> Diagnostic {
        Diagnostic(.storeLayout, text)
    }

    static func tombstoneColumn(_ place: Int) -> String { "ZTOMBSTONE\(place)" }

    /// The names `ZTOMBSTONE0`, `ZTOMBSTONE1` …
    var tombstoneColumns: [String] { (0..<tombstoneCount).map(Self.tombstoneColumn) }

    /// The statements that create the tables, in Core Data's order. They come after the statements for all other
    /// tables.
    ///
    /// - Parameter isUsed: whether the tables have keys. SwiftData's stores have the tables from the start, and the keys
    ///   with the first save (4 public stores without a save).
    func creationSQL(isUsed: Bool = true) -> [String] {
        var statements: [String] = []
        for table in Self.all {
            let tombstones = table.name == Self.change.name ? tombstoneColumns.map { "\($0) BLOB" } : []
            let columns = (table.columns + tombstones).joined(separator: ", ")
            statements.append("CREATE TABLE \(table.name) ( \(columns) )")
        }
        statements += Self.indexes
        guard isUsed else { return statements }
        for table in Self.all {
            statements.append(
                "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                    + "VALUES (\(table.number), '\(table.entity)', 0, 0)")
        }
        return statements
    }
}
