import StoreTestSupport

/// Parses statements in Core Data's form.
enum SQLShape {
    /// `ZT` of `CREATE INDEX I ON ZT (…)`.
    static func table(_ sql: String) -> String {
        let words = sql.split(separator: " ")
        guard let place = words.firstIndex(of: "ON"), place + 1 < words.count else { return "" }
        return String(words[place + 1])
    }

    /// `ZA` and `ZB` of `… (ZA COLLATE BINARY ASC, ZB)`.
    static func columns(_ sql: String) -> [String] {
        definitions(sql).compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// The text between the first and the last parenthesis, trimmed.
    static func definitions(_ sql: String) -> [String] {
        guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")") else { return [] }
        return sql[sql.index(after: open)..<close].split(separator: ",").map { part in
            part.split(separator: " ").joined(separator: " ")
        }
    }
}
