import Foundation
import GranaryBase
import GranaryCoordination
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Who gets an answer.
struct BrowserGateTests {
    private let bench: SiteBench
    private let cookie: String

    init() throws {
        bench = try SiteBench(try ExportSamples.companyStore())
        cookie = "granary-\(SiteBench.port)="
    }

    private func status(_ request: BrowserRequest) throws -> Int { try bench.send(request).status }

    @Test(
        "Hosts other than the three names of the address are refused",
        arguments: [
            ("127.0.0.1:4711", 200), ("localhost:4711", 200), ("LocalHost:4711", 200), ("[::1]:4711", 200),
            ("127.0.0.1", 421), ("127.0.0.1:4712", 421), ("evil.example:4711", 421), ("127.0.0.1:4711.evil", 421),
            ("", 421), (nil, 421),
        ] as [(String?, Int)])
    func host(_ host: String?, _ expected: Int) throws {
        var request = BrowserRequest("GET", "/style.css")
        request.headers["host"] = host
        #expect(try status(request) == expected)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", ""])
    func otherMethodsAreRefused(_ method: String) throws {
        let answer = try bench.get("/", method: method)
        #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD")
    }

    @Test(
        "Requests from pages of other sites are refused",
        arguments: [
            ("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403), ("", 403), ("None", 403),
        ])
    func site(_ site: String, _ expected: Int) throws {
        var headers = SiteBench.host
        headers["sec-fetch-site"] = site
        #expect(try status(BrowserRequest("GET", "/style.css", headers: headers)) == expected)
    }

    @Test(arguments: [
        "/", "/entity?entity=Person", "/object?entity=Person&key=1", "/download?entity=Tag&format=csv", "/x",
    ])
    func withoutTheCookieNothingIsShown(_ target: String) throws {
        for value in [nil, "", cookie, cookie + "0", "granary-4711", "other=1"] as [String?] {
            var headers = SiteBench.host
            headers["cookie"] = value
            let answer = try bench.send(BrowserRequest("GET", target, headers: headers))
            #expect(answer.status == 403 && !answer.text.contains("Person"))
        }
    }

    @Test func theTokenWorksOnce() throws {
        let store = bench.store
        let gate = BrowserGate(port: 1)
        let site = BrowserSite(name: "S", gate: gate, zone: .gmt)
        let entrance = gate.entrance
        let headers = ["host": "127.0.0.1:1"]
        func send(_ target: String, _ cookie: String? = nil) -> BrowserResponse {
            var request = BrowserRequest("GET", target, headers: headers)
            request.headers["cookie"] = cookie
            return site.respond(to: request) { store }
        }
        // A wrong token does not use up the right one.
        #expect(send("/?token=0").status == 403)
        #expect(send(entrance.replacing("/?", with: "/entity?")).status == 403)
        let first = send(entrance)
        #expect(first.status == 303 && first.header("Location") == "/")
        let given = try #require(first.header("Set-Cookie"))
        #expect(given.hasPrefix("granary-1=") && given.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(send(entrance).status == 403)
        #expect(gate.entrance == "/")
        // The browser that has the cookie may open the printed address again.
        let pair = String(given.prefix { $0 != ";" })
        #expect(send(entrance, pair).status == 303)
        #expect(send("/", "a=b; \(pair); c=d").status == 200)
    }

    @Test func everyAnswerHasTheHeaders() throws {
        let expected = [
            "Content-Security-Policy":
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
        ]
        let targets = [
            "/", "/style.css", "/icon.svg", "/x", "/entity?entity=Tag", "/download?entity=Tag&format=json",
            "/entity?entity=%",
        ]
        for target in targets {
            let answer = try bench.get(target)
            for (name, value) in expected { #expect(answer.header(name) == value, "\(target) \(name)") }
        }
        #expect(try bench.get("/", method: "POST").header("Content-Security-Policy") != nil)
    }

    @Test func tokensAreLongAndDiffer() {
        let texts = (0..<100).map { _ in RandomText.make() }
        #expect(Set(texts).count == 100 && texts.allSatisfy { $0.count == 64 })
        #expect(RandomText.equal("ab", "ab") && !RandomText.equal("ab", "aB") && !RandomText.equal("ab", "abc"))
    }
}
