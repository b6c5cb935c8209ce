import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks that values with external storage (docs/core-data/sqlite-layout.md#external-storage) have readable files, and
/// finds files without a value.
struct ExternalFileCheck {
    let checked: CheckedStore

    func run(_ findings: inout StoreFindings) throws {
        let path = checked.store.path
        var files = Self.files(ofStore: path)
        var isWhole = true
        for entity in checked.schema.entities where !entity.isAbstract {
            guard let external = checked.store.sql.entities[entity.index].external else { continue }
            guard checked.rowTable(of: entity.index) != nil, checked.has(external.table, external.names) else {
                isWhole = false
                continue
            }
            for (slot, name) in zip(external.slots, external.names) {
                let property = entity.attributes.first { $0.slot == slot }?.name
                let column = SQL.quoteIdentifier(name)
                // A reference has 38 bytes, so the start of a value is enough.
                let query = """
                    SELECT Z_PK, substr(\(column), 1, 64) FROM \(SQL.quoteIdentifier(external.table))
                    WHERE Z_ENT = \(entity.number) AND typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) <> x'01'
                    ORDER BY Z_PK
                    """
                try checked.each(query) { row in
                    let key = row.integer(at: 0)
                    let stored = try row.blob(at: 1)
                    guard let file = ExternalData.fileName(in: stored) else {
                        let problem =
                            ExternalData.isReference(stored)
                            ? "the name of its external file is not a UUID" : "its data has no tag byte"
                        findings.add(
                            .storeCorrupt, "p\(key): \(problem)", entity: entity.name, property: property,
                            table: external.table, key: key, column: name,
                            advice: "set the value again, or restore the store from a backup")
                        return
                    }
                    files.remove(file)
                    guard let reason = Self.problem(of: ExternalData.file(file, ofStore: path)) else { return }
                    findings.add(
                        .storeCorrupt,
                        "p\(key): its external data cannot be read: "
                            + "\(ExternalData.file(file, ofStore: path)): \(reason)",
                        entity: entity.name, property: property, table: external.table, key: key, column: name,
                        advice: "restore the file from a backup, or set the value again")
                }
            }
        }
        // Stores whose names differ only in the extension share the folder, so the finding is a warning.
        guard isWhole, !checked.isInferred else { return }
        for file in files.sorted() {
            findings.add(
                .storeLayout, "no value refers to the file \(ExternalData.file(file, ofStore: path))",
                severity: .warning, advice: "delete the file if no other store of this name uses it")
        }
    }

    /// The files in the store's folder for external data whose names can belong to a value.
    static func files(ofStore path: String) -> Set<String> {
        let names = try? FileManager.default.contentsOfDirectory(atPath: ExternalData.folder(ofStore: path))
        return Set((names ?? []).filter(ExternalData.isFileName))
    }

    /// The reason why a file cannot be the data of a value; nil if it can.
    static func problem(of file: String) -> String? {
        guard access(file, R_OK) == 0 else { return errnoText() }
        var status = stat()
        guard lstat(file, &status) == 0 else { return errnoText() }
        return status.st_mode & S_IFMT == S_IFREG ? nil : "it is not a regular file"
    }
}
