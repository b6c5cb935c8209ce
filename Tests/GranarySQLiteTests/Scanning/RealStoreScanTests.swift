import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// All tables of the stores that Core Data wrote.
@Suite struct RealStoreScanTests {
    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func everyTable() throws {
        var tables = 0
        var rows = 0
        for file in try SharedFiles.files(below: "coredata/stores") {
            let head = try FileHandle(forReadingFrom: file).read(upToCount: 16) ?? Data()
            guard head == Data("SQLite format 3\0".utf8) else { continue }
            let folder = try TemporaryFolder()
            let path = folder.url.appending(path: "Store.sqlite").path
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
                try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
            }
            let connection = try Connection(path: path, mode: .readWrite)
            try connection.checkpoint()
            for table in try connection.schema() where table.type == "table" && !table.name.hasPrefix("sqlite_") {
                // An R-tree has no pages of its own; its rows are in other tables.
                guard table.sql?.hasPrefix("CREATE VIRTUAL TABLE ") != true else { continue }
                let columns = try Self.columns(of: table.name, connection)
                guard columns.first == "Z_PK" else { continue }
                try ScanBench.expectSame(connection, columns, table: table.name, file.lastPathComponent)
                tables += 1
                rows += Int(try connection.integer("SELECT COUNT(*) FROM \"\(table.name)\"") ?? 0)
            }
        }
        #expect(tables > 20 && rows > 100, "\(tables) tables, \(rows) rows")
    }

    private static func columns(of table: String, _ connection: Connection) throws -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_table_info(?)")
        try statement.bind(table, at: 1)
        var names: [String] = []
        while try statement.step() { names.append(try statement.string(at: 0) ?? "") }
        return names
    }
}
