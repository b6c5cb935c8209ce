package import GranaryBase

/// The text that names a PostgreSQL store: a URL (`postgresql://…`) or keywords (`service=…`), in libpq's own syntax.
/// libpq reads it, with its environment variables, service files, password files and options of TLS.
///
/// The only addition is the parameter `schema`, which libpq does not get: the PostgreSQL schema with the tables.
package struct ConnectionText: Sendable, Hashable {
    /// What libpq gets.
    let conninfo: String
    /// The schema with the tables; nil for the first one in the search path of the connection.
    let schema: String?
    /// The text without passwords, for messages.
    package let displayName: String

    /// Whether a text names a PostgreSQL store and not a file.
    package static func isConnection(_ text: String) -> Bool {
        if urlPrefixes.contains(where: { text.hasPrefix($0) }) { return true }
        guard let end = text.firstIndex(of: "=") else { return false }
        return ConnectionKeyword.first.contains(text[..<end].trimmed)
    }

    /// The text itself if it is a path; without passwords if it names a PostgreSQL store.
    package static func displayName(of text: String) -> String {
        guard isConnection(text) else { return text }
        return (try? ConnectionText(text))?.displayName ?? "postgresql://"
    }

    static let urlPrefixes = ["postgresql://", "postgres://"]

    /// - Throws: ``GranaryError`` with code `usage` if it is malformed. The message does not contain the text, which may
    ///   contain a password.
    package init(_ text: String) throws(GranaryError) {
        if text.utf8.contains(0) { throw Self.malformed("it contains the character U+0000") }
        let parts: (conninfo: String, schema: String?, displayName: String)
        if let prefix = Self.urlPrefixes.first(where: { text.hasPrefix($0) }) {
            parts = try ConnectionURL.parts(String(text.dropFirst(prefix.count)))
        } else {
            parts = try ConnectionKeyword.parts(text)
        }
        if parts.schema == "" { throw Self.malformed("the parameter schema is empty") }
        (conninfo, schema, displayName) = parts
    }

    static func malformed(_ reason: String) -> GranaryError {
        GranaryError(
            .usage, "the connection string is malformed: \(reason); write it as postgresql://USER@HOST:PORT/DATABASE")
    }

    /// Whether a parameter's value must not be shown.
    static func isSecret(_ keyword: some StringProtocol) -> Bool {
        let name = keyword.lowercased()
        return name.contains("password") || name.contains("secret")
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
