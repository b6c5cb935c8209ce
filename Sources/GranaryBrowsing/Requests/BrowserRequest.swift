/// A request, as far as the browser needs it.
package struct BrowserRequest: Sendable {
    /// The method, as it was sent.
    package var method: String
    /// The path and the query, as they were sent.
    package var target: String
    /// The headers by their names in lower case. Several headers of one name are joined by a semicolon, as several
    /// cookies are.
    package var headers: [String: String]

    /// The maximum number of bytes of a head in the form of ``init(head:)``.
    package static let headLimit = 20 << 10

    package init(_ method: String, _ target: String, headers: [String: String] = [:]) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// Parses the head that `granary-browse` passes on: a line `METHOD TARGET`, then lines `name: value`.
    ///
    /// - Returns: nil for another form.
    package init?(head: [UInt8]) {
        guard head.count <= Self.headLimit, let text = String(validating: head, as: UTF8.self) else { return nil }
        // By scalars: a carriage return and a line feed are one character.
        var lines = text.unicodeScalars.split(separator: "\n").map { String(Substring($0)) }
        guard !lines.isEmpty else { return nil }
        let first = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard first.count == 2 else { return nil }
        (method, target) = (String(first[0]), String(first[1]))
        headers = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            let name = line[..<colon].lowercased()
            headers[name] = headers[name].map { "\($0); \(value)" } ?? value
        }
    }
}
