import GranaryBase
import GranarySQLite

/// The pairs of objects of two stores, in a temporary database.
///
/// All objects are added with their keys. ``match(_:)`` then merges the objects of both stores in the order of their
/// keys: SQLite sorts them, in a file if there are many, so memory is bounded.
final class PairIndex {
    enum Side: String {
        case a, b
    }

    /// The object of the second store that is paired with an object of the first one.
    enum Partner: Hashable {
        case paired(Int64)
        /// Only the first store has the object.
        case none
        /// The object was not added.
        case unknown
    }

    private let connection: Connection
    /// Removed after the connection is closed.
    private let folder: DiffFolder
    private let insertObject: [Side: Statement]
    private let insertRest: [Side: Statement]
    private let insertPair: Statement
    private var findPartner: Statement?
    private var findPartnerInA: Statement?
    /// The number of objects with an unusable key, by their entities.
    private(set) var unkeyed: [Int: Int] = [:]

    /// The size of the cache of the database, and of each sort before it continues in a file: 4 MiB.
    private static let cacheKiB = 4 << 10

    init(folder: DiffFolder) throws {
        self.folder = folder
        let connection = try Connection(path: folder.path("pairs.sqlite"), mode: .create)
        self.connection = connection
        // The database is temporary, so it need not survive a failure, and its transaction is never committed.
        try connection.execute(
            """
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA temp_store = FILE; PRAGMA cache_size = -\(Self.cacheKiB);
            BEGIN;
            CREATE TABLE a (entity INTEGER, key BLOB, object INTEGER);
            CREATE TABLE b (entity INTEGER, key BLOB, object INTEGER);
            CREATE TABLE rest_a (entity INTEGER, object INTEGER);
            CREATE TABLE rest_b (entity INTEGER, object INTEGER);
            CREATE TABLE pair (entity INTEGER, a INTEGER, b INTEGER);
            """)
        insertObject = [
            .a: try connection.prepare("INSERT INTO a VALUES (?, ?, ?)"),
            .b: try connection.prepare("INSERT INTO b VALUES (?, ?, ?)"),
        ]
        insertRest = [
            .a: try connection.prepare("INSERT INTO rest_a VALUES (?, ?)"),
            .b: try connection.prepare("INSERT INTO rest_b VALUES (?, ?)"),
        ]
        insertPair = try connection.prepare("INSERT INTO pair VALUES (?, ?, ?)")
    }

    // MARK: - Adding

    /// Adds an object of an entity.
    ///
    /// - Parameters:
    ///   - key: nil if the object is to be paired by its primary key.
    ///   - lacksKey: whether the entity has a key, but the object has none.
    func add(_ side: Side, entity: Int, key: [UInt8]?, object: Int64, lacksKey: Bool) throws {
        guard let key else {
            if lacksKey { unkeyed[entity, default: 0] += 1 }
            return try addRest(side, entity, object)
        }
        guard let statement = insertObject[side] else { return }
        try statement.bind(Int64(entity), at: 1)
        try key.withUnsafeBufferPointer { try statement.bindBlob($0, at: 2) }
        try statement.bind(object, at: 3)
        try statement.run()
    }

    private func addRest(_ side: Side, _ entity: Int, _ object: Int64) throws {
        guard let statement = insertRest[side] else { return }
        try statement.bind(Int64(entity), at: 1)
        try statement.bind(object, at: 2)
        try statement.run()
    }

    private func addPair(_ entity: Int, _ a: Int64?, _ b: Int64?) throws {
        let statement = insertPair
        try statement.bind(Int64(entity), at: 1)
        if let a { try statement.bind(a, at: 2) } else { try statement.bindNull(at: 2) }
        if let b { try statement.bind(b, at: 3) } else { try statement.bindNull(at: 3) }
        try statement.run()
    }

    // MARK: - Matching

    /// Pairs the objects that were added. Objects that are added later are paired by the next call.
    func match(_ cancellation: Cancellation?) throws {
        try matchKeys(cancellation)
        try matchRest(cancellation)
        // The indexes are created once, after most rows.
        try connection.execute(
            """
            DELETE FROM a; DELETE FROM b; DELETE FROM rest_a; DELETE FROM rest_b;
            CREATE INDEX IF NOT EXISTS pair_a ON pair (entity, a, b) WHERE a IS NOT NULL;
            CREATE INDEX IF NOT EXISTS pair_b ON pair (entity, b) WHERE a IS NULL;
            """)
        if findPartner == nil { findPartner = try connection.prepare("SELECT b FROM pair WHERE entity = ? AND a = ?") }
    }

    private func matchKeys(_ cancellation: Cancellation?) throws {
        var left = try KeyCursor(connection.prepare("SELECT entity, key, object FROM a ORDER BY entity, key, object"))
        var right = try KeyCursor(connection.prepare("SELECT entity, key, object FROM b ORDER BY entity, key, object"))
        while !left.isAtEnd || !right.isAtEnd {
            try cancellation?.check()
            let order = left.order(to: right)
            let entity = order <= 0 ? left.entity : right.entity
            var (a, b) = (KeyCursor.Group.none, KeyCursor.Group.none)
            if order <= 0 { a = try left.takeGroup { try addUnkeyed(.a, entity, $0) } }
            if order >= 0 { b = try right.takeGroup { try addUnkeyed(.b, entity, $0) } }
            switch (a, b) {
            case (.one(let a), .one(let b)): try addPair(entity, a, b)
            case (.one(let a), .none): try addPair(entity, a, nil)
            case (.none, .one(let b)): try addPair(entity, nil, b)
            // The key is not unique in the other store, so it identifies no object.
            case (.one(let a), .several): try addUnkeyed(.a, entity, a)
            case (.several, .one(let b)): try addUnkeyed(.b, entity, b)
            case (.none, .none), (.none, .several), (.several, .none), (.several, .several): break
            }
        }
    }

    private func addUnkeyed(_ side: Side, _ entity: Int, _ object: Int64) throws {
        unkeyed[entity, default: 0] += 1
        try addRest(side, entity, object)
    }

    private func matchRest(_ cancellation: Cancellation?) throws {
        var left = try KeyCursor(
            connection.prepare("SELECT entity, NULL, object FROM rest_a ORDER BY entity, object"))
        var right = try KeyCursor(
            connection.prepare("SELECT entity, NULL, object FROM rest_b ORDER BY entity, object"))
        while !left.isAtEnd || !right.isAtEnd {
            try cancellation?.check()
            let order = left.objectOrder(to: right)
            let entity = order <= 0 ? left.entity : right.entity
            try addPair(entity, order <= 0 ? left.object : nil, order >= 0 ? right.object : nil)
            if order <= 0 { try left.advance() }
            if order >= 0 { try right.advance() }
        }
    }

    // MARK: - Results

    /// The pair of an object of the first store.
    func partner(entity: Int, object: Int64) throws -> Partner {
        guard let statement = findPartner else { return .unknown }
        defer { statement.reset() }
        try statement.bind(Int64(entity), at: 1)
        try statement.bind(object, at: 2)
        guard try statement.step() else { return .unknown }
        return statement.isNull(at: 0) ? .none : .paired(statement.integer(at: 0))
    }

    /// The object of the first store that is paired with one of the second; nil if there is none.
    func partnerInA(entity: Int, object: Int64) throws -> Int64? {
        if findPartnerInA == nil {
            // Few comparisons need it.
            try connection.execute("CREATE INDEX pair_back ON pair (entity, b, a)")
            findPartnerInA = try connection.prepare("SELECT a FROM pair WHERE entity = ? AND b = ? AND a IS NOT NULL")
        }
        guard let statement = findPartnerInA else { return nil }
        defer { statement.reset() }
        try statement.bind(Int64(entity), at: 1)
        try statement.bind(object, at: 2)
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    /// The pairs of an entity's objects of the first store, in the order of their primary keys.
    func pairs(entity: Int) throws -> PairCursor {
        try PairCursor(
            connection.prepare("SELECT a, b FROM pair WHERE entity = ? AND a IS NOT NULL ORDER BY a"), entity)
    }

    /// The objects of an entity that only the second store has, in the order of their primary keys, as the first of
    /// each pair.
    func objectsOnlyInB(entity: Int) throws -> PairCursor {
        try PairCursor(
            connection.prepare("SELECT b, NULL FROM pair WHERE entity = ? AND a IS NULL ORDER BY b"), entity)
    }
}

/// The objects of one store in the order of their keys.
private struct KeyCursor {
    /// The objects of one store with the same key.
    enum Group {
        case none
        case one(Int64)
        case several
    }

    private let statement: Statement
    private(set) var entity = 0
    private(set) var key: [UInt8] = []
    private(set) var object: Int64 = 0
    private(set) var isAtEnd = false

    init(_ statement: Statement) throws {
        self.statement = statement
        try advance()
    }

    mutating func advance() throws {
        guard try statement.step() else {
            isAtEnd = true
            return
        }
        entity = Int(clamping: statement.integer(at: 0))
        key = Array(try statement.blob(at: 1))
        object = statement.integer(at: 2)
    }

    /// Moves past the objects with the current key. If there are several, `each` receives all of them.
    mutating func takeGroup(_ each: (Int64) throws -> Void) throws -> Group {
        let (entity, key, first) = (self.entity, self.key, object)
        var isSingle = true
        try advance()
        while !isAtEnd, self.entity == entity, self.key == key {
            if isSingle { try each(first) }
            isSingle = false
            try each(object)
            try advance()
        }
        return isSingle ? .one(first) : .several
    }

    /// Whether this cursor's key is before (negative), equal to or after (positive) that of another one, as SQLite
    /// sorts them. The end is after all keys.
    func order(to other: Self) -> Int {
        if let order = coarseOrder(to: other) { return order }
        if key == other.key { return 0 }
        return key.lexicographicallyPrecedes(other.key) ? -1 : 1
    }

    /// As ``order(to:)`` for the primary keys.
    func objectOrder(to other: Self) -> Int {
        if let order = coarseOrder(to: other) { return order }
        return object == other.object ? 0 : object < other.object ? -1 : 1
    }

    /// The order by the end and the entity; nil if both are equal.
    private func coarseOrder(to other: Self) -> Int? {
        if isAtEnd || other.isAtEnd { return isAtEnd ? other.isAtEnd ? 0 : 1 : -1 }
        return entity == other.entity ? nil : entity < other.entity ? -1 : 1
    }
}
