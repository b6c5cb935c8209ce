import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Records the objects that a transaction changes; ``finish()`` writes them into the history.
///
/// Several changes of an object are recorded as one. The changes are kept in a temporary table: a bulk import may
/// change more objects than fit into memory, and a rollback also removes changes from the table.
final class HistoryRecorder {
    let store: SQLiteStore
    let tables: HistoryTables
    let connection: Connection

    /// Returns nil for a store without a history.
    init?(_ store: SQLiteStore) {
        guard let tables = store.history else { return nil }
        self.store = store
        self.tables = tables
        connection = store.connection
    }

    /// The values of `ZCHANGETYPE`, and ``gone``.
    enum Kind: Int64 {
        case insert = 0
        case update = 1
        case delete = 2
        /// Inserted and deleted in the same transaction. The history does not contain such objects.
        case gone = 3
    }

    static let table = "temp.granary_history"

    /// Creates the temporary table. Call once, at the start of the transaction.
    func begin() throws {
        let tombstones = (0..<tables.tombstoneCount).map { ", t\($0)" }.joined()
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(Self.table) (place INTEGER PRIMARY KEY, root INTEGER, object INTEGER,
                entity INTEGER, kind INTEGER, slots BLOB\(tombstones), UNIQUE (root, object));
            DELETE FROM \(Self.table)
            """)
    }

    // Link changes may be recorded before their object is inserted. If a key is deleted and inserted again, all
    // properties of the object count as changed.
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

    /// Records an inserted row.
    func recordInsert(_ row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>) throws {
        let entity = store.schema.entities[Int(row.entity)]
        try connection.withStatement(Self.insertion) { statement in
            try statement.bind(Int64(entity.root), at: 1)
            try statement.bind(row.key, at: 2)
            try statement.bind(Int64(entity.index), at: 3)
            try statement.bind(blob: tables.entities[entity.index].allSlots.bytes, at: 4)
            try statement.run()
        }
        for relationship in entity.relationships where !relationship.isToMany && relationship.isPersistent {
            guard case .reference(let key, _) = cells[row.firstCell + relationship.slot],
                let mark = listMark(relationship, key)
            else { continue }
            try record([mark])
        }
    }

    /// Records a deletion. Call before the row is deleted, because the history keeps some of its values.
    ///
    /// - Parameter entity: the index of the object's entity or of one of its superentities.
    func recordDeletion(entity: Int, key: Int64) throws {
        let root = store.schema.entities[entity].root
        guard let concrete = try self.entity(root: root, key: key) else { return }
        try record(try marks(deleting: key, of: store.schema.entities[concrete]))
        try connection.run(Self.deletion, [Int64(root), key, Int64(concrete)])
        try keepTombstone(root: root, key: key, concrete)
    }

    private func keepTombstone(root: Int, key: Int64, _ entity: Int) throws {
        let assignments = tables.entities[entity].tombstones.prefix(tables.tombstoneCount).enumerated()
            .compactMap { place, attribute in
                store.layout.column(of: attribute).map { "t\(place) = o.\($0)" }
            }
        guard !assignments.isEmpty else { return }
        let sql =
            "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) "
            + "FROM \(store.sql.entities[entity].table) o WHERE root = ?1 AND object = ?2 AND o.Z_PK = ?2"
        try connection.run(sql, [Int64(root), key])
    }

    /// Records changed properties.
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
                try statement.bind(blob: slots.bytes, at: 3)
                try statement.run()
            }
        }
    }

    /// The index of the concrete entity of a row; nil if the row does not exist or belongs to no entity of the
    /// hierarchy.
    func entity(root: Int, key: Int64) throws -> Int? {
        guard let table = store.sql.roots[root]?.table,
            let number = try connection.integer("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", key)
        else { return nil }
        return store.schema.entities[root].family.first { Int64($0) + 1 == number }
    }
}
