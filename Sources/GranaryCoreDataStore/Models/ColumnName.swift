import GranaryCoordination

/// What Core Data's names of columns and tables tell beside a property's name (sqlite-layout §4 to §6).
enum ColumnName {
    static let system: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    static let orderPrefix = "Z_FOK_"

    /// The number of an entity behind a prefix, and what stands behind it: `Z12_BOOK` is 12 and `_BOOK`. Nil where there
    /// is no number, or nothing else.
    static func numbered(_ prefix: String, _ name: String) -> (number: Int, rest: String)? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).prefix { (48...57).contains($0) }
        // No property begins with a digit, so all digits are the number's; one of a column has five at most.
        guard digits.first != 48, digits.count <= 5, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        let rest = String(decoding: name.utf8.dropFirst(prefix.utf8.count + digits.count), as: UTF8.self)
        return rest.isEmpty ? nil : (number, rest)
    }

    /// What stands behind a prefix; nil where the name has another one, or nothing else.
    static func rest(_ prefix: String, _ name: String) -> String? {
        guard name.utf8.starts(with: prefix.utf8), name.utf8.count > prefix.utf8.count else { return nil }
        return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether a name is another one, or that with the digits that keep equal names apart.
    static func isEqual(_ name: String, upToDigits other: String) -> Bool {
        name.utf8.starts(with: other.utf8)
            && name.utf8.dropFirst(other.utf8.count).allSatisfy { (48...57).contains($0) }
    }
}
