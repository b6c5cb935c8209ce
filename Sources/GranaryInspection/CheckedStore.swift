import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// A store that is being checked. It may be damaged: tables and columns of the model may be missing.
struct CheckedStore {
    let store: SQLiteStore
    let present: PresentTables
    /// Whether the model was inferred from the tables, so that its rules and inverses are guesses.
    let isInferred: Bool
    /// The tables whose `Z_PK` is the `INTEGER PRIMARY KEY`, so that keys are unique integers with an index.
    private let keyed: Set<String>

    var schema: Schema { store.schema }
    var layout: StoreLayout { store.layout }
    /// The severity of a broken reference. A reference of an inferred model may be an ordinary number.
    var severityOfReferences: Diagnostic.Severity { isInferred ? .warning : .error }

    init(_ store: SQLiteStore, isInferred: Bool) throws {
        self.store = store
        self.isInferred = isInferred
        present = try PresentTables(store.connection, try store.connection.schema())
        let names = store.layout.tables.map(\.name) + HistoryTables.all.map(\.name)
        keyed = try KeyCheck.keyedTables(names, store.connection)
    }

    func isKeyed(_ table: String) -> Bool { keyed.contains(table) }

    /// Whether the table exists with these columns.
    func has(_ table: String, _ columns: [String]) -> Bool {
        guard let names = present[table] else { return false }
        guard columns.count > 8 else { return columns.allSatisfy(names.contains) }
        return Set(columns).isSubset(of: names)
    }

    /// The table of an entity; nil if it does not exist with its key, entity number and version.
    func rowTable(of entity: Int) -> String? {
        let name = layout.tableName(of: entity)
        return isKeyed(name) && has(name, ["Z_PK", "Z_ENT", "Z_OPT"]) ? name : nil
    }

    /// Whether an entity's table has all columns of the layout, so that its objects can be read.
    func isReadable(_ entity: Int) -> Bool {
        let table = layout.table(of: entity)
        return rowTable(of: entity) != nil && has(table.name, table.columns.map(\.name))
    }

    /// The condition that a row belongs to an entity or one of its subentities.
    func kind(_ alias: String, _ entity: Int) -> String {
        let family = schema.entities[entity].family
        return "\(alias).Z_ENT BETWEEN \(family.lowerBound + 1) AND \(family.upperBound)"
    }

    func each(_ sql: String, _ body: (Statement) throws -> Void) throws {
        let statement = try store.connection.prepare(sql)
        while try statement.step() { try body(statement) }
    }
}

extension Statement {
    /// The text of a column, with invalid UTF-8 replaced; empty for NULL and if SQLite is out of memory.
    func lossyText(at index: Int) -> String {
        guard let bytes = try? text(at: index) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
