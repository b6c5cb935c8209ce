/// An answer in the form of HTTP/1.1.
enum ResponseText {
    /// The status line and the headers, with the empty line after them.
    static func head(of response: BrowserResponse) -> String {
        var lines = ["HTTP/1.1 \(response.status) \(reason(response.status))", "Connection: close"]
        switch response.body {
        case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
        case .stream: lines.append("Transfer-Encoding: chunked")
        }
        for header in response.headers {
            // A header contains no text of the store but file names, which are encoded. This is for mistakes.
            lines.append("\(header.name): \(header.value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 303: "See Other"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 421: "Misdirected Request"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
