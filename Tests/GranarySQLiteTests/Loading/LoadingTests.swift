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

    func create(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(autoVacuum)")
        let columns = types.enumerated().map { ", c\($0.offset) \($0.element)" }.joined()
        try connection.execute("CREATE TABLE before (a); CREATE TABLE t (k INTEGER PRIMARY KEY\(columns))")
        try connection.execute("CREATE TABLE behind (a); INSERT INTO before VALUES (1); INSERT INTO behind VALUES (2)")
        return connection
    }

    func load(_ rows: [(Int64, [LoadedValue])], _ path: String) throws {
        let connection = try create(path)
        let root = try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 't'"))
        try connection.close()
        let loader = try DatabaseLoader(path: path)
        let table = loader.table(root: UInt32(root))
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
        try loader.finish()
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
        #expect(try connection.integer(pragma: "page_count") ?? 0 <= twin.integer(pragma: "page_count") ?? 0)
        for change in [
            "INSERT OR IGNORE INTO t (k) SELECT MAX(k) + 1 FROM t WHERE k < 1000000",
            "DELETE FROM t WHERE k % 3 = 0", "UPDATE t SET k = k + 1 WHERE k = (SELECT MAX(k) FROM t) AND k < 1000000",
            "INSERT OR IGNORE INTO t (k) VALUES (0), (-5), (3)", "CREATE INDEX i ON t (k)", "PRAGMA incremental_vacuum",
            "CREATE TABLE other AS SELECT * FROM t", "VACUUM",
        ] {
            try connection.execute(change)
            try twin.execute(change)
            #expect(try connection.text(pragma: "integrity_check") == "ok", "\(change)")
        }
        #expect(try self.contents(connection) == self.contents(twin))
    }
}

@Suite struct LoadingTests {
    /// The database, built with SQL and page by page.
    @Test(arguments: [512, 4096, 65_536], [0, 2])
    func loadedRowsAreThoseOfSQLite(_ pageSize: Int, _ autoVacuum: Int) throws {
        var random = SeededGenerator(seed: UInt64(pageSize + autoVacuum))
        let types = ["INTEGER", "FLOAT", "VARCHAR", "BLOB", "TIMESTAMP", "DECIMAL"]
        for count in [0, 1, 2, 30, 400] {
            var key = Int64.random(in: -50...50, using: &random)
            let rows = (0..<count).map { _ in
                key += Int64.random(in: 1...3, using: &random)
                return (key, types.map { Self.value(for: $0, &random, longest: pageSize * 3) })
            }
            try LoadingBench(types: types, pageSize: pageSize, autoVacuum: autoVacuum).check(rows)
        }
    }

    /// What such a column may hold: the affinities of text are not the loader's matter.
    static func value(for type: String, _ random: inout SeededGenerator, longest: Int) -> LoadedValue {
        while true {
            let value = LoadedValue.random(&random, longest: longest)
            switch (type, value) {
            case ("BLOB", _), (_, .null), ("VARCHAR", .text), ("VARCHAR", .blob): return value
            case ("VARCHAR", _), (_, .text): continue
            default: return value
            }
        }
    }

    /// Payloads around each limit: of what lies in the leaf, and of each overflow page.
    @Test func everyLengthAroundTheLimits() throws {
        let size = 512
        let limits = [57, size - 35, size - 12, size, 2 * size - 4, 10 * (size - 4)]
        var rows: [(Int64, [LoadedValue])] = []
        for limit in limits {
            for length in max(0, limit - 12)...limit + 12 {
                rows.append((Int64(rows.count + 1), [.text(Array(repeating: 0x61, count: length))]))
            }
        }
        try LoadingBench(types: ["VARCHAR"], pageSize: size).check(rows)
        // One row in a page, and two.
        for length in size / 2 - 30...size / 2 + 10 {
            let row = LoadedValue.text(Array(repeating: 0x62, count: length))
            try LoadingBench(types: ["VARCHAR"], pageSize: size).check((1...5).map { ($0, [row]) })
        }
    }

    @Test(arguments: [0, 1, 100, 126, 127, 128, 300])
    func anyNumberOfColumns(_ count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let rows = (1...20).map { key in
            (Int64(key), (0..<count).map { _ in LoadedValue.random(&random, longest: 40) })
        }
        try LoadingBench(types: Array(repeating: "BLOB", count: count), pageSize: 512).check(rows)
    }

    /// Each number of leaves up to where the tree has three levels, so that every last page of a level occurs.
    @Test func everyNumberOfLeaves() throws {
        let value = LoadedValue.blob(Array(repeating: 7, count: 400))
        for count in Array(1...10) + Array(60...70) + [150, 3000] {
            try LoadingBench(types: ["BLOB"], pageSize: 512).check((1...count).map { (Int64($0), [value]) })
        }
    }

    @Test func extremeKeys() throws {
        let keys: [Int64] = [
            .min, .min + 1, -129, -1, 0, 1, 127, 128, 16_383, 16_384, 1 << 55, 1 << 56, .max - 1, .max,
        ]
        try LoadingBench(types: ["INTEGER"], pageSize: 512).check(keys.map { ($0, [.integer($0)]) })
    }

    @Test func whatIsNotFinishedIsNotThere() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "a.sqlite").path
        let bench = LoadingBench(types: ["BLOB"], pageSize: 4096)
        let connection = try bench.create(path)
        let root = try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 't'"))
        try connection.close()
        let before = try Data(contentsOf: URL(filePath: path))
        let loader = try DatabaseLoader(path: path)
        let table = loader.table(root: UInt32(root))
        var batch = RecordBatch()
        for key in 1...200_000 {
            batch.addNull()
            _ = batch.endRow(rowID: Int64(key))
        }
        try table.append(batch)
        #expect(try Data(contentsOf: URL(filePath: path)).count > before.count)
        loader.discard()
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func otherFilesAreRefused() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in [("empty", ""), ("text", String(repeating: "no database ", count: 100))] {
            try Data(bytes.utf8).write(to: URL(filePath: folder.url.appending(path: name).path))
            #expect(throws: LoadError.self) { try DatabaseLoader(path: folder.url.appending(path: name).path) }
        }
        #expect(throws: LoadError.self) { try DatabaseLoader(path: folder.url.appending(path: "missing").path) }
        let connection = try Connection(path: folder.url.appending(path: "log.sqlite").path, mode: .create)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        try connection.close()
        #expect(throws: LoadError.self) { try DatabaseLoader(path: folder.url.appending(path: "log.sqlite").path) }
    }
}
