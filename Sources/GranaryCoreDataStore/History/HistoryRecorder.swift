import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Takes down which objects a transaction changes; ``finish()`` writes them into the history.
///
/// An object that is touched several times is one change. They are kept in a temporary table: a bulk import changes
/// more objects than memory should hold, and what a transaction takes back is gone from there too.
final class HistoryRecorder {
    let store: SQLiteStore
    let tables: HistoryTables
    let connection: Connection

    /// Nil for a store without a history.
    init?(_ store: SQLiteStore) {
        guard let tables = store.history else { return nil }
        self.store = store
        self.tables = tables
        connection = store.connection
    }

    /// `ZCHANGETYPE`, and a value of our own.
    enum Kind: Int64 {
        case insert = 0
        case update = 1
        case delete = 2
        /// Inserted and deleted: the store never saw it.
        case gone = 3
    }

    static let table = "temp.granary_history"

    /// Once, when the transaction has begun.
    func begin() throws {
        let tombstones = (0..<tables.tombstoneCount).map { ", t\($0)" }.joined()
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(Self.table) (place INTEGER PRIMARY KEY, root INTEGER, object INTEGER,
                entity INTEGER, kind INTEGER, slots BLOB\(tombstones), UNIQUE (root, object));
            DELETE FROM \(Self.table)
            """)
    }

    // Link changes may come before their object is inserted. A key that is deleted and inserted again is an object
    // whose every property may have changed.
    private static let insertion = """
        INSERT INTO \(table) (root, object, entity, kind) VALUES (?1, ?2, ?3, 0)
        ON CONFLICT (root, object) DO UPDATE SET entity = ?3, kind = CASE kind WHEN 2 THEN 1 ELSE 0 END,
            slots = CASE kind WHEN 2 THEN ?4 END
        """
    private static let deletion = """
        INSERT INTO \(table) (root, object, entity, kind) VALUES (?1, ?2, ?3, 2)
        ON CONFLICT (root, object) DO UPDATE SET entity = ?3, kind = CASE WHEN kind IN (0, 3) THEN 3 ELSE 2 END,
            slots = NULL
        """
    private static let update = """
        INSERT INTO \(table) (root, object, kind, slots) VALUES (?1, ?2, 1, ?3)
        ON CONFLICT (root, object) DO UPDATE SET slots = ?3 WHERE kind = 1
        """

    /// A row was inserted.
    func recordInsert(_ row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>) throws {
        let entity = store.schema.entities[Int(row.entity)]
        try connection.withStatement(Self.insertion) { statement in
            try statement.bind(Int64(entity.root), at: 1)
            try statement.bind(row.key, at: 2)
            try statement.bind(Int64(entity.index), at: 3)
            try tables.entities[entity.index].allSlots.bytes.withUnsafeBufferPointer {
                try statement.bindBlob($0, at: 4)
            }
            try statement.run()
        }
        for relationship in entity.relationships where !relationship.isToMany && relationship.isPersistent {
            guard case .reference(let key, _) = cells[row.firstCell + relationship.slot],
                let mark = listMark(relationship, key)
            else { continue }
            try record([mark])
        }
    }

    /// A row is about to be deleted: called before it, since the history keeps some of its values.
    ///
    /// - Parameter entity: its entity or one above it.
    func recordDeletion(entity: Int, key: Int64) throws {
        let root = store.schema.entities[entity].root
        guard let concrete = try self.entity(root: root, key: key) else { return }
        try record(try marks(deleting: key, of: store.schema.entities[concrete]))
        try connection.withStatement(Self.deletion) { statement in
            try statement.bind(Int64(root), at: 1)
            try statement.bind(key, at: 2)
            try statement.bind(Int64(concrete), at: 3)
            try statement.run()
        }
        try keepTombstone(root: root, key: key, concrete)
    }

    private func keepTombstone(root: Int, key: Int64, _ entity: Int) throws {
        let assignments = tables.entities[entity].tombstones.prefix(tables.tombstoneCount).enumerated()
            .compactMap { place, attribute in
                store.layout.column(entity: attribute.owner, slot: attribute.slot).map { "t\(place) = o.\($0)" }
            }
        guard !assignments.isEmpty else { return }
        let sql =
            "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) "
            + "FROM \(store.sql.entities[entity].table) o WHERE root = ?1 AND object = ?2 AND o.Z_PK = ?2"
        try connection.withStatement(sql) { statement in
            try statement.bind(Int64(root), at: 1)
            try statement.bind(key, at: 2)
            try statement.run()
        }
    }

    /// Properties of objects have changed.
    func record(_ marks: [HistoryMark]) throws {
        for mark in marks {
            var slots = mark.slots
            let known = "SELECT slots FROM \(Self.table) WHERE root = ? AND object = ? AND kind = 1"
            try connection.withStatement(known) { statement in
                try statement.bind(Int64(mark.root), at: 1)
                try statement.bind(mark.key, at: 2)
                if try statement.step() { slots.formUnion(HistorySlots(bytes: try statement.blob(at: 0))) }
            }
            try connection.withStatement(Self.update) { statement in
                try statement.bind(Int64(mark.root), at: 1)
                try statement.bind(mark.key, at: 2)
                try slots.bytes.withUnsafeBufferPointer { try statement.bindBlob($0, at: 3) }
                try statement.run()
            }
        }
    }

    /// The concrete entity of a row, as an index; nil without the row, or where it is of none of the hierarchy.
    func entity(root: Int, key: Int64) throws -> Int? {
        guard let table = store.sql.roots[root]?.table,
            let number = try integer("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", key)
        else { return nil }
        return store.schema.entities[root].family.first { Int64($0) + 1 == number }
    }

    /// The one value of a query with one parameter; nil for NULL and for no row.
    func integer(_ sql: String, _ parameter: Int64) throws -> Int64? {
        try connection.withStatement(sql) { statement in
            try statement.bind(parameter, at: 1)
            guard try statement.step(), !statement.isNull(at: 0) else { return nil }
            return statement.integer(at: 0)
        }
    }

    /// The first column of a query with one parameter.
    func integers(_ sql: String, _ parameter: Int64) throws -> [Int64] {
        try connection.withStatement(sql) { statement in
            try statement.bind(parameter, at: 1)
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
    }
}
