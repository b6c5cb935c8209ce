import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// A value as a test gives it to the loader and to SQLite.
enum LoadedValue {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    static func random(_ random: inout SeededGenerator, longest: Int) -> LoadedValue {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .null
        case 1, 2: return .integer(integers.randomElement(using: &random) ?? 0)
        case 3:
            return .integer(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random))
        case 4: return .real(reals.randomElement(using: &random) ?? 0)
        case 5: return .real(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 8)
        case 6: return .blob(bytes(&random, longest: longest))
        default: return .text(bytes(&random, longest: longest).map { 0x20 + $0 % 0x5F })
        }
    }

    private static let integers: [Int64] = [
        0, 1, -1, 2, 127, 128, -128, -129, 32_767, 32_768, -32_768, -32_769, 8_388_607, 8_388_608, -8_388_609,
        2_147_483_647, 2_147_483_648, -2_147_483_649, 140_737_488_355_327, 140_737_488_355_328, -140_737_488_355_329,
        .max, .min,
    ]
    private static let reals: [Double] = [
        0, -0.0, 1, -1, 0.5, 1e300, .leastNonzeroMagnitude, 127, 1e15, 140_737_488_355_328, 9_007_199_254_740_992,
        9.3e18, -9.3e18,
        -9_223_372_036_854_775_808,
    ]

    private static func bytes(_ random: inout SeededGenerator, longest: Int) -> [UInt8] {
        let limit = Int.random(in: 0..<8, using: &random) == 0 ? longest : min(longest, 60)
        return (0..<Int.random(in: 0...limit, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

/// A table, filled by the loader and by SQLite.
struct LoadingBench {
    /// The types of the columns behind the key.
    let types: [String]
    let pageSize: Int
    var autoVacuum = 2
    /// What stands behind `CREATE INDEX iN ON t`; ` UNIQUE` at the end makes it a unique one.
    var indexes: [String] = []
    var indexMemory: Int?
    /// Whether the loaded table is changed by SQL too.
    var changes = true

    func create(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(autoVacuum)")
        let columns = types.enumerated().map { ", c\($0.offset) \($0.element)" }.joined()
        try connection.execute("CREATE TABLE before (a); CREATE TABLE t (k INTEGER PRIMARY KEY\(columns))")
        for (number, index) in indexes.enumerated() {
            let unique = index.hasSuffix(" UNIQUE") ? "UNIQUE" : ""
            try connection.execute("CREATE \(unique) INDEX i\(number) ON t \(index.replacing(" UNIQUE", with: ""))")
        }
        try connection.execute("CREATE TABLE behind (a); INSERT INTO before VALUES (1); INSERT INTO behind VALUES (2)")
        return connection
    }

    func load(_ rows: [(Int64, [LoadedValue])], _ path: String) throws {
        let connection = try create(path)
        try connection.transaction {
            let tables = try connection.beginLoading(["t"], settings: "SELECT 1", indexMemory: indexMemory)
            try append(rows, to: try #require(tables?.first))
        }
        try connection.close()
    }

    private func append(_ rows: [(Int64, [LoadedValue])], to table: TablePages) throws {
        var batch = RecordBatch()
        for (key, values) in rows {
            batch.addNull()
            for (value, type) in zip(values, types) {
                let affinity: RecordBatch.Affinity = type == "FLOAT" ? .real : type == "BLOB" ? .none : .numeric
                switch value {
                case .null: batch.addNull()
                case .integer(let number): batch.add(number, affinity: affinity)
                case .real(let number): batch.add(number, affinity: affinity)
                case .text(let bytes): bytes.withUnsafeBufferPointer { batch.add(text: $0) }
                case .blob(let bytes): bytes.withUnsafeBufferPointer { batch.add(blob: $0) }
                }
            }
            let isTaken = batch.endRow(rowID: key)
            #expect(isTaken)
            // Batches of one row and of several.
            guard batch.count > key % 4 else { continue }
            try table.append(batch)
            batch.removeAll()
            #expect(!table.canAppend(key))
        }
        try table.append(batch)
    }

    func insert(_ rows: [(Int64, [LoadedValue])], _ path: String) throws {
        let connection = try create(path)
        let marks = Array(repeating: "?", count: types.count + 1).joined(separator: ", ")
        try connection.transaction {
            try connection.withStatement("INSERT INTO t VALUES (\(marks))") { statement in
                for (key, values) in rows {
                    try statement.bind(key, at: 1)
                    for (index, value) in values.enumerated() {
                        switch value {
                        case .null: try statement.bindNull(at: index + 2)
                        case .integer(let number): try statement.bind(number, at: index + 2)
                        case .real(let number): try statement.bind(number, at: index + 2)
                        case .text(let bytes):
                            try bytes.withUnsafeBufferPointer { try statement.bindText($0, at: index + 2) }
                        case .blob(let bytes):
                            try bytes.withUnsafeBufferPointer { try statement.bindBlob($0, at: index + 2) }
                        }
                    }
                    try statement.run()
                }
            }
        }
    }

    /// All rows with the types of their values.
    func contents(_ connection: Connection) throws -> [String] {
        let columns = types.indices.map { "typeof(c\($0)) || ' ' || quote(c\($0))" }
        var rows: [String] = []
        try connection.withStatement("SELECT \((["k"] + columns).joined(separator: ", ")) FROM t") { statement in
            while try statement.step() {
                let values = try columns.indices.map { try statement.string(at: $0 + 1) ?? "" }
                rows.append("\(statement.integer(at: 0)) \(values.joined(separator: " "))")
            }
        }
        return rows
    }

    /// The keys of the rows in the order of an index, which SQLite reads without sorting.
    private func entries(_ number: Int, _ connection: Connection) throws -> [Int64] {
        let order = indexes[number].replacing(" UNIQUE", with: "").dropFirst().dropLast()
        var keys: [Int64] = []
        try connection.withStatement("SELECT k FROM t INDEXED BY i\(number) ORDER BY \(order), k") { statement in
            while try statement.step() { keys.append(statement.integer(at: 0)) }
        }
        return keys
    }

    /// Compares what the two ways give, and changes the loaded table by SQL.
    func check(_ rows: [(Int64, [LoadedValue])]) throws {
        let folder = try TemporaryFolder()
        let (loaded, inserted) = (
            folder.url.appending(path: "loaded.sqlite").path, folder.url.appending(path: "inserted.sqlite").path
        )
        try load(rows, loaded)
        try insert(rows, inserted)
        let connection = try Connection(path: loaded, mode: .readWrite)
        let twin = try Connection(path: inserted, mode: .readWrite)
        #expect(try connection.text(pragma: "integrity_check") == "ok")
        let contents = try contents(connection)
        #expect(contents.count == rows.count)
        #expect(try contents == self.contents(twin))
        #expect(try connection.integer(pragma: "freelist_count") == 0)
        for number in indexes.indices {
            #expect(try entries(number, connection) == entries(number, twin), "\(indexes[number])")
        }
        #expect(try connection.integer(pragma: "page_count") ?? 0 <= twin.integer(pragma: "page_count") ?? 0)
        guard changes else { return }
        for change in [
            "INSERT OR IGNORE INTO t (k) SELECT MAX(k) + 1 FROM t WHERE k < 1000000",
            "DELETE FROM t WHERE k % 3 = 0", "UPDATE t SET k = k + 1 WHERE k = (SELECT MAX(k) FROM t) AND k < 1000000",
            "INSERT OR IGNORE INTO t (k) VALUES (0), (-5), (3)", "CREATE INDEX further ON t (k)",
            "PRAGMA incremental_vacuum",
            "CREATE TABLE other AS SELECT * FROM t", "VACUUM",
        ] {
            try connection.execute(change)
            try twin.execute(change)
            #expect(try connection.text(pragma: "integrity_check") == "ok", "\(change)")
        }
        #expect(try self.contents(connection) == self.contents(twin))
    }
}
