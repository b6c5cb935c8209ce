import Synchronization

/// Decides which requests are answered.
///
/// The server can be reached by every program and every page of the web on this machine. A page is for the person who
/// started `granary browse` only: they get an address with a token, which is exchanged for a cookie at its first use, so
/// that the token does not stay in the address.
package final class BrowserGate: Sendable {
    /// What happens to a request.
    enum Decision: Equatable {
        /// It is answered.
        case answer
        /// The token was valid: the browser gets the cookie and goes to the first page.
        case enter(cookie: String)
        /// It is refused with a status and a sentence.
        case refuse(Int, String)
    }

    /// The name of the item with the token.
    static let tokenName = "token"

    private let hosts: Set<String>
    private let cookieName: String
    private let cookie = RandomText.make()
    /// The token; nil after it was used.
    private let token: Mutex<String?>

    /// - Parameter port: the port of the server. It is part of the cookie's name, because a browser sends cookies to all
    ///   ports of a host, and two servers would replace each other's cookie.
    package init(port: UInt16) {
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
        cookieName = "granary-\(port)"
        token = Mutex(RandomText.make())
    }

    /// The path and query of the first page, with the token; without it after it was used.
    package var entrance: String {
        token.withLock { $0 }.map { PageAddress("/", [(Self.tokenName, $0)]).text } ?? "/"
    }

    /// - Parameter address: the parsed target; nil if it is malformed.
    func decide(_ request: BrowserRequest, _ address: PageAddress?) -> Decision {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .refuse(405, "The browser only reads: it answers GET and HEAD.")
        }
        // A page of the web whose name leads to 127.0.0.1 has its own name in this header.
        guard let host = request.headers["host"]?.lowercased(), hosts.contains(host) else {
            return .refuse(421, "This is not the address that granary has printed.")
        }
        // A browser says whether another page made the request. Other programs do not send the header.
        switch request.headers["sec-fetch-site"] {
        case nil, "none", "same-origin": break
        default: return .refuse(403, "The request comes from a page of another site.")
        }
        guard let address else { return .refuse(400, "The address is malformed.") }
        if isKnown(request) { return address[Self.tokenName] == nil ? .answer : .enter(cookie: setCookie) }
        if let given = address[Self.tokenName], address.path == "/", use(given) { return .enter(cookie: setCookie) }
        // The style has no data of the store, and the page of a refusal uses it.
        if address.path == SiteFile.style.path || address.path == SiteFile.icon.path { return .answer }
        return .refuse(
            403,
            "Open the address that granary has printed. It works once: if it was opened before, start granary browse again."
        )
    }

    private func isKnown(_ request: BrowserRequest) -> Bool {
        guard let header = request.headers["cookie"] else { return false }
        return header.split(separator: ";").contains { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == cookieName[...] && RandomText.equal(String(pair[1]), cookie)
        }
    }

    private func use(_ given: String) -> Bool {
        token.withLock { token in
            guard let expected = token, RandomText.equal(given, expected) else { return false }
            token = nil
            return true
        }
    }

    private var setCookie: String { "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict" }
}
