import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Whether a file has a write-ahead log: SQLite's rule, whatever the header says.
@Suite struct LogRuleTests {
    private enum Log: CaseIterable {
        case none, empty, full
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    /// A file with the value `old` and a log with the value `new`.
    private func make(_ name: String, versions: [UInt8], log: Log) throws -> String {
        let source = try TemporaryFolder()
        let made = source.url.appending(path: "made.sqlite").path
        let connection = try Connection(path: made, mode: .create)
        try connection.execute(
            """
            CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'old'); PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0; UPDATE t SET a = 'new'
            """)
        var bytes = Array(try Data(contentsOf: URL(filePath: made)))
        let frames = try Data(contentsOf: URL(filePath: made + "-wal"))
        try connection.close()
        bytes.replaceSubrange(18...19, with: versions)
        let file = path(name)
        try Data(bytes).write(to: URL(filePath: file))
        switch log {
        case .none: break
        case .empty: try Data().write(to: URL(filePath: file + "-wal"))
        case .full: try frames.write(to: URL(filePath: file + "-wal"))
        }
        return file
    }

    private func state() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            files[name] = try Data(contentsOf: folder.url.appending(path: name))
        }
        return files
    }

    /// The value that a scan gives, or a statement if there is no scan.
    private func value(_ connection: Connection) throws -> String? {
        try connection.transaction(.deferred) {
            guard let scan = try TableScan(connection, table: "t", key: "k", columns: ["k", "a"]) else {
                return try connection.text("SELECT a FROM t")
            }
            var values: [ColumnValue] = [.null, .null]
            guard scan.next() == .row else { return nil }
            return values.withUnsafeMutableBufferPointer { values in
                guard scan.read(into: values), case .text(let text) = values[1] else { return nil }
                return String(decoding: text, as: UTF8.self)
            }
        }
    }

    @Test(arguments: [[1, 1], [2, 2], [1, 2], [2, 1]] as [[UInt8]], [true, false])
    func everyCombination(versions: [UInt8], once: Bool) throws {
        for log in Log.allCases {
            let file = try make("a.sqlite", versions: versions, log: log)
            let before = try state()
            let found = try value(try Connection.reading(path: file, busyTimeout: .zero, once: once))
            #expect(try state() == before, "\(log)")
            // What SQLite reads, without regard to the files.
            let expected = try Connection(path: file, mode: .readWrite).text("SELECT a FROM t")
            #expect(found == expected, "\(log)")
            #expect(found == (log == .full ? "new" : "old"), "\(log)")
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        }
    }
}
