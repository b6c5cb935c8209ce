import Foundation
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Derives a UUID from a store's content. The same rows give the same UUID.
enum ContentIdentifier {
    /// Returns the UUID for all rows of all tables in a fixed order, without the present UUID.
    static func derive(_ connection: Connection) throws -> String {
        var digest = ContentDigest()
        digest.update(try RunImages.schemaDigest(connection))
        var image = RowImage()
        for table in try RecordedTable.all(connection) {
            digest.update(Array(table.name.utf8) + [0])
            let columns = table.columns.filter { table.name != "Z_METADATA" || $0 != "Z_UUID" }
                .map(SQL.quoteIdentifier)
            guard !columns.isEmpty else { continue }
            let select =
                "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName) ORDER BY \(table.rowID)"
            try connection.withStatement(select) { row in
                while try row.step() {
                    try image.read(row, 0..<columns.count)
                    digest.update(image.bytes)
                }
            }
            // An end mark: no encoded value begins with this byte.
            digest.update([0xFF])
        }
        return uuid(digest.bytes)
    }

    /// Formats a SHA-256 digest as a UUID, as version 5 does with SHA-1 (RFC 9562 §5.5).
    static func uuid(_ digest: [UInt8]) -> String {
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)).uuidString }
    }
}
