import GranaryCoordination
import GranaryModel
import GranarySQLite

/// The UUID that follows from what a store holds: the same rows give the same.
enum ContentIdentifier {
    /// Of all rows of all tables in a fixed order, the UUID itself left out.
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
            // No value begins so.
            digest.update([0xFF])
        }
        return uuid(digest.bytes)
    }

    /// As a UUID of version 5 is made, of the longer SHA-256 (RFC 9562 §5.5).
    static func uuid(_ digest: [UInt8]) -> String {
        var text = ""
        let digits = Array("0123456789ABCDEF")
        for (place, byte) in digest.prefix(16).enumerated() {
            let marked = place == 6 ? byte & 0x0F | 0x50 : place == 8 ? byte & 0x3F | 0x80 : byte
            if [4, 6, 8, 10].contains(place) { text.append("-") }
            text.append(digits[Int(marked >> 4)])
            text.append(digits[Int(marked & 15)])
        }
        return text
    }
}
