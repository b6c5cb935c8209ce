import GranaryCoordination
import GranarySQLite

/// Parses Core Data's names of columns and tables (docs/core-data/sqlite-layout.md).
enum ColumnName {
    static let system: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    static let orderPrefix = "Z_FOK_"

    /// Whether a table's name has the form of a join table's. Such names can be used in statements without quotes.
    static func isJoinTable(_ name: String) -> Bool {
        name.hasPrefix("Z_") && !StoreLayout.bookkeepingTables.contains(name)
            && name.utf8.allSatisfy { byte in
                byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xDF)
            }
    }

    /// Splits a name with a prefix into an entity number and the rest: `Z12_BOOK` gives 12 and `_BOOK`. Nil if the name
    /// has no number or nothing after it.
    static func numbered(_ prefix: String, _ name: String) -> (number: Int, rest: String)? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).prefix { (48...57).contains($0) }
        // No property name begins with a digit, so all digits belong to the number. It has at most five.
        guard digits.first != 48, digits.count <= 5, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        let rest = String(decoding: name.utf8.dropFirst(prefix.utf8.count + digits.count), as: UTF8.self)
        return rest.isEmpty ? nil : (number, rest)
    }

    /// The rest of a name after a prefix; nil if the name does not have the prefix or nothing comes after it.
    static func rest(_ prefix: String, _ name: String) -> String? {
        guard name.utf8.starts(with: prefix.utf8), name.utf8.count > prefix.utf8.count else { return nil }
        return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether a name is another name followed by any number of digits. Such digits distinguish names that would be
    /// equal.
    static func isEqual(_ name: String, upToDigits other: String) -> Bool {
        name.utf8.starts(with: other.utf8)
            && name.utf8.dropFirst(other.utf8.count).allSatisfy { (48...57).contains($0) }
    }
}
