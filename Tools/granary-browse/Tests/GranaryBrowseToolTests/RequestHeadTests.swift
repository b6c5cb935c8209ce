import Testing

@testable import granary_browse

/// Heads that are passed on, and heads that are refused.
struct RequestHeadTests {
    private static func head(_ text: String) throws(RequestHead.Refusal) -> RequestHead {
        try RequestHead(Array(text.utf8))
    }

    @Test func theHeadersOfARequestAreChosen() throws {
        let head = try Self.head(
            "GET /a?b=%20 HTTP/1.1\r\nHost:  127.0.0.1:1 \r\nUser-Agent: x\u{e9}\r\nCOOKIE: a=b\r\nCookie: c=d\r\n"
                + "Sec-Fetch-Site: none\r\nContent-Length: 0\r\nEmpty:\r\n\r\n")
        #expect(
            head.forwardedText
                == "GET /a?b=%20\nhost: 127.0.0.1:1\ncookie: a=b\ncookie: c=d\nsec-fetch-site: none\n\n")
    }

    @Test(
        "Refused heads",
        arguments: [
            ("", 400), ("\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET / HTTP/1.1\n\n", 400),
            ("GET / HTTP/1.1\r\n", 400),
            ("GET / HTTP/2\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET http://a/ HTTP/1.1\r\n\r\n", 400),
            ("GET * HTTP/1.1\r\n\r\n", 400), ("G(T / HTTP/1.1\r\n\r\n", 400), ("GET /\u{e9} HTTP/1.1\r\n\r\n", 400),
            ("GET /\t HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nA: b\u{0}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nCookie: \u{e9}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 413),
            ("GET / HTTP/1.1\r\nContent-Length: 00\r\n\r\n", 413), ("GET / HTTP/1.1\r\nA: b\r\n\r\n\r\n", 400),
        ])
    func refusals(_ text: String, _ status: Int) {
        do throws(RequestHead.Refusal) {
            _ = try Self.head(text)
            Issue.record("accepted: \(text.debugDescription)")
        } catch {
            #expect(error.rawValue == status)
            #expect(error.response.hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test func sizesAreBounded() throws {
        func status(_ text: String) -> Int? {
            do throws(RequestHead.Refusal) {
                _ = try Self.head(text)
                return nil
            } catch { return error.rawValue }
        }
        let target = "/" + String(repeating: "x", count: RequestHead.targetLimit - 1)
        #expect(status("GET \(target) HTTP/1.1\r\n\r\n") == nil)
        #expect(status("GET \(target)x HTTP/1.1\r\n\r\n") == 414)
        let headers = String(repeating: "A: b\r\n", count: RequestHead.headerLimit)
        #expect(status("GET / HTTP/1.1\r\n\(headers)\r\n") == nil)
        #expect(status("GET / HTTP/1.1\r\n\(headers)A: b\r\n\r\n") == 431)
        #expect(status("GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: RequestHead.limit) + "\r\n\r\n") == 431)
    }

    @Test(
        "Ends of heads",
        arguments: [
            ("", nil), ("a\r\n\r", nil), ("\r\n\r\n", 4), ("a\r\n\r\nb", 5), ("a\r\r\n\r\n", 6), ("a\n\n", nil),
        ]
            as [(String, Int?)])
    func ends(_ text: String, _ length: Int?) { #expect(RequestHead.length(in: Array(text.utf8)) == length) }
}
