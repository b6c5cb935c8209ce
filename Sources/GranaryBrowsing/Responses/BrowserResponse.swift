package import GranaryBase

/// The answer to a request.
package struct BrowserResponse {
    /// The content of an answer.
    package enum Body {
        case bytes([UInt8])
        /// Calls the closure with a function that takes the content in pieces. An error in it ends the answer before its
        /// end, which the browser notices.
        case stream((@escaping ByteOutput.Sink) throws -> Void)
    }

    /// The status of HTTP.
    package var status: Int
    /// The headers, besides those on the length and the connection.
    package private(set) var headers: [(name: String, value: String)]
    package var body: Body

    /// Creates an answer with the headers that every answer has.
    init(_ status: Int, type: String, _ body: Body) {
        self.status = status
        headers = SecurityHeaders.all + [("Content-Type", type)]
        self.body = body
    }

    /// Creates a page.
    init(_ status: Int = 200, page: String) {
        self.init(status, type: "text/html; charset=utf-8", .bytes(Array(page.utf8)))
    }

    mutating func add(_ name: String, _ value: String) { headers.append((name, value)) }

    /// The first header of a name.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
