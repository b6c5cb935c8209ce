import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryPropertyLists
import GranarySQLite

/// Runs SQLite's check of a file.
struct FileCheck {
    let connection: Connection
    let objects: [SchemaObject]

    /// Returns whether the rest of the file can be checked. The other checks would read wrong rows through an index
    /// that disagrees with its table.
    func run(_ findings: inout StoreFindings) throws -> Bool {
        var isReadable = true
        do throws(SQLiteError) {
            let statement = try connection.prepare("PRAGMA integrity_check(100)")
            while try statement.step() {
                for line in statement.lossyText(at: 0).split(separator: "\n").map(String.init)
                where line != "ok" && !line.hasPrefix("*** in database") {
                    let (index, advice) = Self.meaning(of: line)
                    if advice != StoreAdvice.changeValue { isReadable = false }
                    let table = objects.first { $0.type == "index" && $0.name == index }?.tableName
                    findings.add(.storeCorrupt, "SQLite: \(line)", table: table, advice: advice)
                }
            }
        } catch {
            guard error.code == .corrupt else { throw error }
            isReadable = false
            findings.add(
                .storeCorrupt, "SQLite: \(error.message)",
                advice: StoreAdvice.recover)
        }
        return isReadable
    }

    /// The index that a line names, if only an index is damaged, and the advice.
    private static func meaning(of line: String) -> (index: String?, advice: String) {
        let marks = [
            (" missing from index ", StoreAdvice.rebuildIndexes),
            ("wrong # of entries in index ", StoreAdvice.rebuildIndexes),
            ("non-unique entry in index ", StoreAdvice.changeValue),
        ]
        for (mark, advice) in marks {
            if let range = line.firstRange(of: mark) { return (String(line[range.upperBound...]), advice) }
        }
        return (nil, StoreAdvice.recover)
    }
}

extension StoreMetadata {
    /// The number of rows of `Z_METADATA`. Core Data writes one (docs/core-data/sqlite-layout.md#metadata); it is not
    /// known which of several rows it reads.
    static func rowCount(_ connection: Connection) throws -> Int64 {
        try connection.integer("SELECT COUNT(*) FROM Z_METADATA") ?? 0
    }

    /// Reads the readable part of a store's metadata, and returns the problem with them.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the file is not a Core Data store.
    static func readDamaged(
        _ connection: Connection, _ objects: [SchemaObject]
    ) throws -> (metadata: StoreMetadata, problem: GranaryError?) {
        do {
            return (try read(connection, objects), nil)
        } catch let error as GranaryError {
            let tables = Set(objects.filter { $0.type == "table" }.map(\.name))
            guard tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") else { throw error }
            let identifier = try? connection.text("SELECT Z_UUID FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
            let nothing = try PropertyList.write(.dictionary([]), as: .binary)
            let metadata = try StoreMetadata(
                identifier: identifier ?? "", propertyList: nothing, path: connection.path)
            return (metadata, error)
        }
    }
}
