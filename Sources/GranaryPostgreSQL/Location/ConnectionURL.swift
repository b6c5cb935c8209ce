import Foundation
import GranaryBase

/// Parses a connection URL: what libpq gets, and what messages show
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
enum ConnectionURL {
    /// - Parameter rest: the URL after `postgresql://`.
    /// - Throws: ``GranaryError`` with code `usage` if it is malformed.
    static func parts(
        _ rest: String
    ) throws(GranaryError) -> (conninfo: String, schema: String?, displayName: String) {
        let place = rest.lastIndex(of: "@")
        let query = try self.query(rest, after: place)
        let base = rest[..<(query.map { rest.index(before: $0.startIndex) } ?? rest.endIndex)]
        var shown = String(base)
        if let end = base.lastIndex(of: "@") {
            let user = base[..<end]
            // libpq ends the password at the first of these characters, so the rest of it would become the host and
            // appear in its messages.
            if user.contains("@") || user.contains("/") || user.contains("?") {
                throw ConnectionText.malformed(
                    "the characters @, / and ? of a user name or password must be written "
                        + "as %40, %2F and %3F")
            }
            shown = String(user.prefix { $0 != ":" }) + String(base[end...])
        }
        var kept: [Substring] = []
        var visible: [Substring] = []
        var schema: String?
        for parameter in query?.split(separator: "&", omittingEmptySubsequences: true) ?? [] {
            let end = parameter.firstIndex(of: "=")
            guard let end, let name = String(parameter[..<end]).removingPercentEncoding,
                let value = String(parameter[parameter.index(after: end)...]).removingPercentEncoding
            else { throw ConnectionText.malformed("a parameter after ? is not NAME=VALUE") }
            if name == "schema" {
                schema = value
                visible.append(parameter)
                continue
            }
            kept.append(parameter)
            if !ConnectionText.isSecret(name) { visible.append(parameter) }
        }
        func joined(_ base: some StringProtocol, _ parameters: [Substring]) -> String {
            "postgresql://\(base)" + (parameters.isEmpty ? "" : "?") + parameters.joined(separator: "&")
        }
        return (joined(base, kept), schema, joined(shown, visible))
    }

    /// The part after the first `?` that does not belong to the user name or password.
    private static func query(_ rest: String, after at: String.Index?) throws(GranaryError) -> Substring? {
        guard let start = rest.firstIndex(of: "?") else { return nil }
        // An @ after the ? can be part of a value, or the password contains a ?. In the second case there is a : before.
        if let at, start < at {
            let before = rest[..<start]
            let host = before.prefix { $0 != "/" }
            let port = host.lastIndex(of: ":").map { host[host.index(after: $0)...] }
            if let port, !port.allSatisfy(\.isNumber), !before.contains("@"), !host.hasSuffix("]") {
                throw ConnectionText.malformed("the character ? of a password must be written as %3F")
            }
        }
        return rest[rest.index(after: start)...]
    }
}
