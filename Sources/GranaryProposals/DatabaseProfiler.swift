import Foundation
package import GranaryBase
import GranaryFormats
import GranaryRecords
import GranarySQLite

/// Profiles the tables of a plain SQLite database, which declares keys, references and required columns.
package struct DatabaseProfiler {
    private struct Column {
        let name: String
        let type: String
        let isRequired: Bool
        /// The place in the primary key, from 1; 0 outside.
        let keyPlace: Int64
    }

    /// Reads all tables.
    ///
    /// - Throws: ``GranaryError``: `refused` for a store of Core Data and for a database without tables; as reading
    ///   throws.
    package static func read(
        _ path: String, into profiler: inout SourceProfiler, cancellation: Cancellation? = nil
    ) throws(GranaryError) {
        let connection = try converting { try Connection.reading(path: path, once: true) }
        defer { try? connection.close() }
        let tables = try strings(
            connection,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
        if tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") {
            throw GranaryError(
                .refused, "\(path): is a store of Core Data, which has a model",
                help: "granary model convert \(ShellText.quoted(path)) --output Model.granary.yaml")
        }
        guard !tables.isEmpty else { throw GranaryError(.refused, "\(path): the database has no tables") }
        var options = DatabaseReader.Options()
        options.allowsNUL = true
        var places: [String: Int] = [:]
        var columns: [String: [Column]] = [:]
        for table in tables {
            let found = try self.columns(of: table, connection)
            columns[table] = found
            let connection = UncheckedConnection(connection)
            let source = ImportSource(name: path, nests: true, entity: table) {
                [options] () throws(GranaryError) -> any RecordReader in
                DatabaseReader(path: path, .table(table), options: options, connection: connection.value)
            }
            places[table.lowercased()] = profiler.profiles.count
            try profiler.read(source, cancellation: cancellation)
        }
        for table in tables {
            guard let place = places[table.lowercased()], let found = columns[table] else { continue }
            let references = try references(of: table, connection, found, places, columns, tables)
            let keys = try uniqueIndexes(of: table, connection, found)
            profiler.change(place) { declare(found, keys, references, in: &$0) }
        }
    }

    /// The reader is used by the thread that opens it, before the connection is closed.
    private struct UncheckedConnection: @unchecked Sendable {
        let value: Connection
        init(_ value: Connection) { self.value = value }
    }

    private static func declare(
        _ columns: [Column], _ indexes: [[Int]], _ references: [Int: (profile: Int, column: Int)],
        in profile: inout EntityProfile
    ) {
        profile.isDeclared = true
        profile.declared = references
        let key = columns.indices.filter { columns[$0].keyPlace > 0 }.sorted {
            columns[$0].keyPlace < columns[$1].keyPlace
        }
        profile.declaredKeys = (key.isEmpty ? [] : [key]) + indexes.filter { $0 != key }
        for (index, column) in columns.enumerated() {
            if column.isRequired || key.contains(index) { profile.required.insert(index) }
            let type = column.type.lowercased()
            if type.contains("char"), let open = type.firstIndex(of: "("), type.hasSuffix(")"),
                let length = Int(type[type.index(after: open)...].dropLast())
            {
                profile.declaredLengths[index] = length
            }
            if type.contains("bool") { profile.declaredBooleans.insert(index) }
        }
    }

    private static func columns(of table: String, _ connection: Connection) throws(GranaryError) -> [Column] {
        try converting {
            let statement = try connection.prepare("PRAGMA table_xinfo(\(SQL.quoteIdentifier(table)))")
            var columns: [Column] = []
            // Columns with hidden = 1 are not in SELECT *; generated columns are.
            while try statement.step() {
                guard statement.integer(at: 6) != 1 else { continue }
                columns.append(
                    Column(
                        name: try statement.string(at: 1) ?? "", type: try statement.string(at: 2) ?? "",
                        isRequired: statement.integer(at: 3) != 0, keyPlace: statement.integer(at: 5)))
            }
            return columns
        }
    }

    /// The references of one column.
    private static func references(
        of table: String, _ connection: Connection, _ own: [Column], _ places: [String: Int],
        _ columns: [String: [Column]], _ tables: [String]
    ) throws(GranaryError) -> [Int: (profile: Int, column: Int)] {
        var rows: [Int64: [(table: String, from: String, to: String?)]] = [:]
        try converting {
            let statement = try connection.prepare("PRAGMA foreign_key_list(\(SQL.quoteIdentifier(table)))")
            while try statement.step() {
                rows[statement.integer(at: 0), default: []].append(
                    (
                        try statement.string(at: 2) ?? "", try statement.string(at: 3) ?? "",
                        try statement.string(at: 4)
                    ))
            }
        }
        var references: [Int: (profile: Int, column: Int)] = [:]
        for row in rows.values where row.count == 1 {
            let (target, from, to) = row[0]
            guard let profile = places[target.lowercased()],
                let name = tables.first(where: { $0.lowercased() == target.lowercased() }),
                let found = columns[name],
                let column = own.firstIndex(where: { $0.name.lowercased() == from.lowercased() })
            else { continue }
            // Without a column the reference is to the primary key.
            let key = found.firstIndex {
                to.map { $0.lowercased() } == $0.name.lowercased() || to == nil && $0.keyPlace == 1
            }
            if let key { references[column] = (profile, key) }
        }
        return references
    }

    private static func uniqueIndexes(
        of table: String, _ connection: Connection, _ columns: [Column]
    ) throws(GranaryError) -> [[Int]] {
        let indexes = try converting {
            let statement = try connection.prepare("PRAGMA index_list(\(SQL.quoteIdentifier(table)))")
            var names: [String] = []
            // A partial index is not unique for all rows.
            while try statement.step() {
                if statement.integer(at: 2) != 0, statement.integer(at: 4) == 0, let name = try statement.string(at: 1)
                {
                    names.append(name)
                }
            }
            return names
        }
        var keys: [[Int]] = []
        for index in indexes.reversed() {
            let names = try converting {
                let statement = try connection.prepare("PRAGMA index_info(\(SQL.quoteIdentifier(index)))")
                var names: [String?] = []
                while try statement.step() { names.append(try statement.string(at: 2)) }
                return names
            }
            let places = names.compactMap { name in columns.firstIndex { $0.name == name } }
            // An index over an expression has no column.
            if places.count == names.count, !places.isEmpty { keys.append(places) }
        }
        return keys
    }

    private static func strings(_ connection: Connection, _ sql: String) throws(GranaryError) -> [String] {
        try converting {
            let statement = try connection.prepare(sql)
            var result: [String] = []
            while try statement.step() { if let text = try statement.string(at: 0) { result.append(text) } }
            return result
        }
    }
}
