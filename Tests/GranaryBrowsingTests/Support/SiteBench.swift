import Foundation
import GranaryBase
import GranaryCoordination
import TestSupport
import Testing

@testable import GranaryBrowsing

/// A site over a store, and a reader that has its cookie.
struct SiteBench {
    /// An answer, with its whole content.
    struct Answer {
        let status: Int
        let content: [UInt8]
        let response: BrowserResponse

        var text: String { String(decoding: content, as: UTF8.self) }
        func header(_ name: String) -> String? { response.header(name) }
    }

    let store: any StoreBackend
    let site: BrowserSite
    let gate: BrowserGate
    private let cookie: String

    static let port: UInt16 = 4711

    init(_ store: any StoreBackend, zone: String = "UTC") throws {
        self.store = store
        gate = BrowserGate(port: Self.port)
        let zone = try #require(TimeZone(identifier: zone))
        site = BrowserSite(name: "Seed.sqlite", gate: gate, zone: zone)
        let entered = site.respond(to: BrowserRequest("GET", gate.entrance, headers: Self.host)) { store }
        cookie = String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" })
    }

    static let host = ["host": "127.0.0.1:4711"]

    func get(_ target: String, method: String = "GET") throws -> Answer {
        try send(BrowserRequest(method, target, headers: ["host": "127.0.0.1:4711", "cookie": cookie]))
    }

    func get(_ path: String, _ items: [(String, String)]) throws -> Answer {
        try get(PageAddress(path, items).text)
    }

    func send(_ request: BrowserRequest) throws -> Answer {
        let response = site.respond(to: request) { store }
        return Answer(status: response.status, content: try Self.content(of: response), response: response)
    }

    static func content(of response: BrowserResponse) throws -> [UInt8] {
        switch response.body {
        case .bytes(let bytes): return bytes
        case .stream(let body):
            let collected = Collected()
            try body { (bytes) throws(GranaryError) in collected.bytes += bytes }
            return collected.bytes
        }
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }
}
