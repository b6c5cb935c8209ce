import Foundation
import GranaryPropertyLists
import GranarySQLite

/// A store read with plain SQL, independently of Granary's store code.
struct PlainStore {
    let connection: Connection

    init(path: String) throws {
        connection = try Connection.reading(path: path, busyTimeout: .seconds(5))
    }

    func isCoreData() throws -> Bool { try connection.tables().contains("Z_METADATA") }

    /// The version hashes of the metadata.
    func versionHashes() throws -> [String: Data] {
        let statement = try connection.prepare("SELECT Z_PLIST FROM Z_METADATA")
        guard try statement.step() else { return [:] }
        let list = try PropertyList.read(Array(try statement.blob(at: 0)), source: connection.path)
        return list["NSStoreModelVersionHashes"].map(KnownHashes.hashes) ?? [:]
    }

    func count(ofTable table: String) throws -> Int64 {
        try connection.integer("SELECT COUNT(*) FROM \(Self.quoted(table))") ?? 0
    }

    /// The entity number of a row; nil if there is no such row.
    func entityNumber(ofKey key: Int64, _ statement: Statement) throws -> Int64? {
        statement.reset()
        try statement.bind(key, at: 1)
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    static func quoted(_ name: String) -> String { name.hasPrefix("\"") ? name : SQL.quoteIdentifier(name) }
}
