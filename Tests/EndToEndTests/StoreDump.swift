import Foundation
import GranarySQLite
import Testing

/// All rows of an SQLite store as text, those of the history among them, with the bytes of external data in the place
/// of their files' names: two saves of the same changes differ in nothing else but their time.
enum StoreDump {
    /// As the next reader finds it, who leaves what a dead process left behind as it is. A file that is named and is
    /// not there is an error.
    static func text(of store: URL) throws -> String {
        let connection = try Connection.reading(path: store.path)
        let integrity = try connection.text(pragma: "integrity_check")
        #expect(integrity == "ok")
        var lines: [String] = []
        for table in try connection.tables() { lines += try rows(of: table, connection, store) }
        try connection.close()
        return lines.joined(separator: "\n")
    }

    private static func rows(of table: String, _ connection: Connection, _ store: URL) throws -> [String] {
        let statement = try connection.prepare("SELECT * FROM \(SQL.quoteIdentifier(table))")
        var lines: [String] = []
        while try statement.step() {
            var line = table
            for index in 0..<statement.columnCount {
                let name = statement.columnName(at: index) ?? ""
                // Changes of one transaction have no order.
                if name == "ZTIMESTAMP" || table == "ACHANGE" && name == "Z_PK" { continue }
                line += "|" + (try cell(index, of: statement, store))
            }
            lines.append(line)
        }
        return lines.sorted()
    }

    private static func cell(_ index: Int, of statement: Statement, _ store: URL) throws -> String {
        switch statement.type(at: index) {
        case .null: return "NULL"
        case .integer: return "\(statement.integer(at: index))"
        case .real: return "\(statement.double(at: index))"
        case .text: return try statement.string(at: index) ?? ""
        case .blob:
            let blob = Data(try statement.blob(at: index))
            guard blob.count == 38, blob.first == 2 else { return blob.base64EncodedString() }
            let name = String(decoding: blob.dropFirst().dropLast(), as: UTF8.self)
            let support = "." + store.deletingPathExtension().lastPathComponent + "_SUPPORT"
            let file = store.deletingLastPathComponent().appending(path: "\(support)/_EXTERNAL_DATA/\(name)")
            return "file " + (try Data(contentsOf: file)).base64EncodedString()
        }
    }
}
