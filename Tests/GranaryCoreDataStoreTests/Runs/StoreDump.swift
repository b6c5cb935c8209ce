import GranarySQLite
import StoreTestSupport

/// Every row of every table of a store with its rowid and storage classes, and the schema: slow, but obviously correct.
enum StoreDump {
    static func of(_ connection: Connection) throws -> [String: [String]] {
        var dump: [String: [String]] = [:]
        for object in try connection.schema() {
            dump["sqlite_master", default: []].append("\(object)")
            guard object.type == "table" else { continue }
            var columns: [String] = []
            let info = try connection.prepare("SELECT name FROM pragma_table_info('\(object.name)')")
            while try info.step() { columns.append(try info.string(at: 0) ?? "") }
            let values = columns.map { "quote(\($0)) || ' ' || typeof(\($0))" }.joined(separator: " || ', ' || ")
            let rows = try connection.prepare("SELECT rowid || ': ' || \(values) FROM \(object.name) ORDER BY rowid")
            dump[object.name] = []
            while try rows.step() { dump[object.name, default: []].append(try rows.string(at: 0) ?? "") }
        }
        return dump
    }
}
