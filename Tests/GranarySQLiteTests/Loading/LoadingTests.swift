import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Tables that are loaded page by page, beside those that SQLite fills.
@Suite struct LoadingTests {
    /// The database, built with SQL and page by page.
    @Test(arguments: [512, 65_536], [0, 2])
    func loadedRowsAreThoseOfSQLite(_ pageSize: Int, _ autoVacuum: Int) throws {
        // Values are up to three pages long, so a few rows of large pages suffice.
        try Self.check(pageSize, autoVacuum, counts: [0, 1, 2, pageSize > 512 ? 30 : 300], seed: 1)
    }

    static func check(_ pageSize: Int, _ autoVacuum: Int, counts: [Int], seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(pageSize + autoVacuum + 1_000_000 * seed))
        let types = ["INTEGER", "FLOAT", "VARCHAR", "BLOB", "TIMESTAMP", "DECIMAL"]
        for count in counts {
            var key = Int64.random(in: -50...50, using: &random)
            let rows = (0..<count).map { _ in
                key += Int64.random(in: 1...3, using: &random)
                return (key, types.map { value(for: $0, &random, longest: pageSize * 3) })
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
            try LoadingBench(types: ["VARCHAR"], pageSize: size, changes: false).check((1...5).map { ($0, [row]) })
        }
    }

    @Test(arguments: [0, 1, 126, 127, 128])
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
            try LoadingBench(types: ["BLOB"], pageSize: 512, changes: count % 5 == 0).check(
                (1...count).map { (Int64($0), [value]) })
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

@Suite struct LoadingLongTests {
    @Test(arguments: [512, 1024, 4096, 65_536], [0, 1, 2])
    func loadedRowsAreThoseOfSQLite(_ pageSize: Int, _ autoVacuum: Int) throws {
        try LoadingTests.check(pageSize, autoVacuum, counts: [1, 3, 17, 1000], seed: 2)
    }

    /// The page with the byte at 1 GiB stays empty, with and without a pointer map.
    @Test(arguments: [0, 2]) func filesBeyondOneGigabyte(_ autoVacuum: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "large.sqlite").path
        let connection = try LoadingBench(
            types: ["BLOB", "INTEGER"], pageSize: 65_536, autoVacuum: autoVacuum, indexes: ["(c1)"]
        ).create(path)
        let blob = Array(repeating: UInt8(7), count: 1_000_000)
        try connection.transaction {
            let table = try #require(try connection.beginLoading(["t"], settings: "SELECT 1")?.first)
            for key in 1...1200 as ClosedRange<Int64> {
                var batch = RecordBatch()
                batch.addNull()
                blob.withUnsafeBufferPointer { batch.add(blob: $0) }
                batch.add(-key)
                _ = batch.endRow(rowID: key)
                try table.append(batch)
            }
        }
        #expect(try connection.integer(pragma: "page_count") ?? 0 > 17_000)
        #expect(try connection.integer("SELECT COUNT(*) FROM t WHERE c1 < -300 AND length(c0) = 1000000") == 900)
        #expect(try connection.text(pragma: "integrity_check") == "ok")
    }
}
