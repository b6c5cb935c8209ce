extension RequestHead.Refusal {
    /// The whole answer to a request that is refused before `granary` sees it.
    var response: String {
        let body = "\(rawValue) \(reason)\n"
        return "HTTP/1.1 \(rawValue) \(reason)\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    private var reason: String {
        switch self {
        case .badRequest: "Bad Request"
        case .timeout: "Request Timeout"
        case .bodyTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .headTooLarge: "Request Header Fields Too Large"
        case .busy: "Service Unavailable"
        }
    }
}
