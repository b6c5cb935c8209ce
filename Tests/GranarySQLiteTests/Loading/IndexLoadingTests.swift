import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Indexes that are loaded page by page, beside those that SQLite builds.
@Suite struct IndexLoadingTests {
    static let types = ["INTEGER", "FLOAT", "VARCHAR", "BLOB", "DECIMAL", "INTEGER", "INTEGER", "INTEGER"]
    static let indexes = [
        "(c0)", "(c1)", "(c2)", "(c3)", "(c4)", "(c5)", "(c0 DESC)", "(c2 DESC)", "(c5, c2)", "(c5 DESC, c0)",
        "(c2, c1 DESC, c3)", "(c4, c5)", "(c6)", "(c6, c7)", "(c7 DESC, c6)", "(c7)",
    ]

    static func rows(_ count: Int, _ random: inout SeededGenerator, longest: Int) -> [(Int64, [LoadedValue])] {
        (0..<count).map { number in
            var values = types.map { LoadingTests.value(for: $0, &random, longest: longest) }
            // A few different values only, as in foreign keys.
            values[5] = Bool.random(using: &random) ? .null : .integer(Int64.random(in: -3...3, using: &random))
            // Integers alone, and integers until some row.
            values[6] = .integer(Int64.random(in: -3...3, using: &random))
            values[7] = number == 250 ? .real(0.5) : .integer(Int64.random(in: .min ... .max, using: &random) >> 40)
            if number % 4 == 0 {
                let digits = Array("common prefix \(Int.random(in: 0..<50, using: &random))".utf8)
                values[2] = .text(digits)
            }
            return (Int64(number + 1), values)
        }
    }

    /// In memory, and in many parts in a temporary file.
    @Test(arguments: [512], [0, 5000])
    func indexesAreThoseOfSQLite(_ pageSize: Int, _ memory: Int) throws {
        try Self.check(pageSize, memory, counts: [0, 1, 40, 300], seed: 1)
    }

    static func check(_ pageSize: Int, _ memory: Int, counts: [Int], seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(pageSize + memory + seed << 32))
        for count in counts {
            let rows = rows(count, &random, longest: pageSize)
            try LoadingBench(
                types: types, pageSize: pageSize, indexes: indexes, indexMemory: memory, changes: count == 40
            ).check(rows)
        }
    }

    @Test func duplicatesInUniqueIndexesAreRefused() throws {
        let folder = try TemporaryFolder()
        for (types, row) in [(["INTEGER"], [LoadedValue.integer(5)]), (["VARCHAR"], [.text([0x61])])] {
            let bench = LoadingBench(types: types, pageSize: 512, indexes: ["(c0) UNIQUE"])
            let path = folder.url.appending(path: types[0]).path
            let error = #expect(throws: SQLiteError.self) { try bench.load([(1, row), (2, [.null]), (3, row)], path) }
            #expect(error?.isUniqueViolation == true && error?.uniqueColumns == ["t.c0"])
            // Nothing is in the table then.
            let connection = try Connection(path: path, mode: .readWrite)
            #expect(try connection.integer("SELECT COUNT(*) FROM t") == 0)
            #expect(try connection.text(pragma: "integrity_check") == "ok")
        }
        // A load that could not end is not tried again: the second time it would lack rows.
        let again = LoadingBench(types: ["INTEGER"], pageSize: 512, indexes: ["(c0) UNIQUE"])
        let connection = try again.create(folder.url.appending(path: "again").path)
        #expect(throws: SQLiteError.self) {
            try connection.transaction {
                let table = try #require(
                    try connection.beginLoading(["t"], settings: "SELECT 1")?.first)
                var batch = RecordBatch()
                for key in 1...3 as ClosedRange<Int64> {
                    batch.addNull()
                    batch.add(key % 2)
                    _ = batch.endRow(rowID: key)
                }
                try table.append(batch)
                var failures = 0
                for _ in 0..<2 { do { try connection.endLoading() } catch { failures += 1 } }
                #expect(failures == 2)
                try connection.endLoading()
            }
        }
        #expect(try connection.integer("SELECT COUNT(*) FROM t") == 0)
        // NULL is equal to nothing.
        let bench = LoadingBench(types: ["INTEGER"], pageSize: 512, indexes: ["(c0) UNIQUE"])
        try bench.check((1...50).map { ($0, [$0 % 2 == 0 ? .null : .integer($0)]) })
    }

    /// Other threads sort the entries of many rows. They end when an index is refused, and the tables stay empty.
    @Test(arguments: [0, 16 << 20]) func duplicatesAmongManyRowsAreRefused(_ memory: Int) throws {
        // The four indexes have more entries than are sorted without threads.
        try Self.checkDuplicates(amongRows: 2_000, memory)
    }

    static func checkDuplicates(amongRows count: Int64, _ memory: Int) throws {
        var bench = LoadingBench(
            types: ["INTEGER", "VARCHAR"], pageSize: 4096, indexes: ["(c0) UNIQUE", "(c1)", "(c1, c0)", "(c1 DESC)"])
        bench.indexMemory = memory
        var rows: [(Int64, [LoadedValue])] = []
        for row in 1...count {
            rows.append((row, [.integer(row == count ? 1 : row), .text(Array("text \(row % 77)".utf8))]))
        }
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "a.sqlite").path
        let error = #expect(throws: SQLiteError.self) { try bench.load(rows, path) }
        #expect(error?.isUniqueViolation == true && error?.uniqueColumns == ["t.c0"])
        try bench.check(Array(rows.dropLast()))
    }

    @Test func otherIndexesAreLeftToSQLite() throws {
        for index in ["(c0 COLLATE NOCASE)", "(c0) WHERE c0 > 3", "(lower(c0))", "(k)"] {
            let folder = try TemporaryFolder()
            let bench = LoadingBench(types: ["VARCHAR"], pageSize: 512, indexes: [index])
            let connection = try bench.create(folder.url.appending(path: "a.sqlite").path)
            try connection.transaction {
                let tables = try connection.beginLoading(["t"], settings: "SELECT 1")
                #expect(tables == nil, "\(index)")
            }
        }
    }

    /// A transaction that fails leaves the tables as they were, before and after the load has ended.
    @Test(arguments: [false, true]) func rollingBackEmptiesTheTables(_ hasEnded: Bool) throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "a.sqlite").path
        let connection = try LoadingBench(types: ["INTEGER"], pageSize: 512, indexes: ["(c0)"]).create(path)
        #expect(throws: Stop.self) {
            try connection.transaction {
                let table = try #require(try connection.beginLoading(["t"], settings: "SELECT 1")?.first)
                var batch = RecordBatch()
                for key in 1...5000 {
                    batch.addNull()
                    batch.add(Int64(key))
                    _ = batch.endRow(rowID: Int64(key))
                }
                try table.append(batch)
                if hasEnded {
                    #expect(try connection.integer("SELECT COUNT(*) FROM t WHERE c0 > 100") == 4900)
                    try connection.execute("INSERT INTO behind VALUES (9)")
                }
                throw Stop()
            }
        }
        #expect(try connection.integer("SELECT COUNT(*) FROM t") == 0)
        #expect(try connection.integer("SELECT COUNT(*) FROM behind") == 1)
        #expect(try connection.text(pragma: "integrity_check") == "ok")
        #expect(try connection.integer(pragma: "page_count") ?? 0 < 10)
    }
}

@Suite struct IndexLoadingLongTests {
    @Test(arguments: [0, 16 << 20]) func duplicatesAmongManyRowsAreRefused(_ memory: Int) throws {
        try IndexLoadingTests.checkDuplicates(amongRows: 20_000, memory)
    }

    /// Each number of entries up to where the tree has three levels, so that the last page of each level has each
    /// number of entries; short and long ones, and such that overflow.
    @Test(arguments: [10, 99, 101, 103, 600])
    func everyNumberOfEntries(_ length: Int) throws {
        let counts = Array(0...30) + Array(stride(from: 31, to: 160, by: length == 10 ? 5 : 21)) + [700]
        for count in counts {
            let rows = (0..<count).map { number in
                let digits = Array("\(100_000 + number)".utf8)
                return (Int64(number), [LoadedValue.text(digits + Array(repeating: 0x61, count: length))])
            }
            try LoadingBench(types: ["VARCHAR"], pageSize: 512, indexes: ["(c0) UNIQUE"], changes: count % 7 == 1)
                .check(rows)
        }
    }

    @Test(arguments: [512, 1024, 4096], [3000, 100_000, 16 << 20])
    func indexesAreThoseOfSQLite(_ pageSize: Int, _ memory: Int) throws {
        try IndexLoadingTests.check(pageSize, memory, counts: [2, 17, 400, 1000], seed: 2)
    }
}
