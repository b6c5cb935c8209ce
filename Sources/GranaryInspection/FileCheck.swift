import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranarySQLite

/// SQLite's own check of a file.
struct FileCheck {
    let connection: Connection
    let objects: [SchemaObject]

    /// Gives back whether the file can be read on: indexes that disagree with their tables do not prevent that.
    func run(_ findings: inout StoreFindings) throws -> Bool {
        var isReadable = true
        do throws(SQLiteError) {
            let statement = try connection.prepare("PRAGMA integrity_check(100)")
            while try statement.step() {
                for line in statement.lossyText(at: 0).split(separator: "\n").map(String.init)
                where line != "ok" && !line.hasPrefix("*** in database") {
                    let index = Self.index(in: line)
                    if index == nil { isReadable = false }
                    let table = objects.first { $0.type == "index" && $0.name == index }?.tableName
                    findings.add(
                        .storeCorrupt, "SQLite: \(line)", table: table,
                        advice: index == nil ? StoreAdvice.recover : StoreAdvice.copyObjects)
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

    /// The index that a line speaks of, where the trouble is in an index alone.
    private static func index(in line: String) -> String? {
        for mark in [" missing from index ", "wrong # of entries in index ", "non-unique entry in index "] {
            if let range = line.firstRange(of: mark) { return String(line[range.upperBound...]) }
        }
        return nil
    }
}
