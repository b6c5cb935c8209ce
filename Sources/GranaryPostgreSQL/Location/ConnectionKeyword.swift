import GranaryBase

/// Parses a connection string of keywords and values: `host=… dbname=… password='…'`
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE).
enum ConnectionKeyword {
    /// The keywords that a connection string can begin with. With others, a file named `a=b` would be mistaken for one.
    static let first: Set<String> = [
        "service", "host", "hostaddr", "port", "dbname", "user", "password", "sslmode", "schema",
    ]

    /// - Throws: ``GranaryError`` with code `usage` if it is malformed.
    static func parts(
        _ text: String
    ) throws(GranaryError) -> (conninfo: String, schema: String?, displayName: String) {
        var schema: String?
        var kept: [String] = []
        var visible: [String] = []
        for (name, value) in try pairs(text) {
            let pair = "\(name)=\(quoted(value))"
            if name == "schema" {
                schema = value
                visible.append(pair)
                continue
            }
            kept.append(pair)
            if !ConnectionText.isSecret(name) { visible.append(pair) }
        }
        return (kept.joined(separator: " "), schema, visible.joined(separator: " "))
    }

    private static func pairs(_ text: String) throws(GranaryError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var rest = text[...]
        func skipSpaces() { while rest.first?.isWhitespace == true { rest.removeFirst() } }
        while true {
            skipSpaces()
            guard !rest.isEmpty else { return pairs }
            let name = String(rest.prefix { $0 != "=" && !$0.isWhitespace })
            rest = rest.dropFirst(name.count)
            skipSpaces()
            guard !name.isEmpty, rest.popFirst() == "=" else {
                throw ConnectionText.malformed("a part of it is not KEYWORD=VALUE")
            }
            skipSpaces()
            let isQuoted = rest.first == "'"
            if isQuoted { rest.removeFirst() }
            var value = ""
            var isClosed = !isQuoted
            while let character = rest.first {
                if isQuoted ? character == "'" : character.isWhitespace {
                    if isQuoted { rest.removeFirst() }
                    isClosed = true
                    break
                }
                rest.removeFirst()
                if character == "\\", let next = rest.popFirst() { value.append(next) } else { value.append(character) }
            }
            guard isClosed else { throw ConnectionText.malformed("a value lacks its closing quote") }
            pairs.append((name, value))
        }
    }

    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.allSatisfy { !$0.isWhitespace && $0 != "'" && $0 != "\\" }
        if isPlain { return value }
        return "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
