import FlyingSocks
import Testing

@testable import granary_browse

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Requests over sockets of this process, without `granary`.
@Suite(.serialized) struct RelayTests {
    /// Runs `body` with the port of a server whose requests a task answers, and with the heads that it received.
    private func serving(
        _ answer: String?, _ body: @escaping @Sendable (UInt16, any AsyncSocketPool) async throws -> Void
    ) async throws {
        let pool = GranaryBrowse.makePool()
        try await pool.prepare()
        let server = try LoopbackServer(port: 0, pool: pool)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("b\(UInt32.random(in: 0 ... .max))")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let listener = try Socket(domain: 1, type: .stream)
        try listener.bind(to: .unix(path: path))
        try listener.listen()
        let pages = try AsyncSocket(socket: listener, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(pages: path) }
            if let answer {
                group.addTask {
                    for try await client in pages.sockets {
                        let head = try await client.read(atMost: 4096)
                        try await client.write(Data(answer.utf8) + head)
                        try client.close()
                    }
                }
            }
            try await body(server.port, pool)
            group.cancelAll()
        }
    }

    private static func exchange(_ port: UInt16, _ pool: some AsyncSocketPool, _ text: String) async throws -> String {
        let socket = try await AsyncSocket.connected(to: try .inet(ip4: "127.0.0.1", port: port), pool: pool)
        try await socket.write(Data(text.utf8))
        var bytes: [UInt8] = []
        while let part = try? await socket.read(atMost: 4096) { bytes += part }
        try? socket.close()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(.timeLimit(.minutes(1))) func aRequestIsPassedOnAndItsAnswerComesBack() async throws {
        try await serving("HTTP/1.1 200 OK\r\n\r\n") { port, pool in
            let answer = try await Self.exchange(port, pool, "GET /x HTTP/1.1\r\nHost: a\r\nAccept: b\r\n\r\n")
            #expect(answer == "HTTP/1.1 200 OK\r\n\r\nGET /x\nhost: a\n\n")
            let refused = try await Self.exchange(port, pool, "GET x HTTP/1.1\r\n\r\n")
            #expect(refused.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aHeadWithoutEndIsRefused() async throws {
        try await serving("") { port, pool in
            let long = "GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 40_000)
            let answer = try await Self.exchange(port, pool, long)
            #expect(answer.hasPrefix("HTTP/1.1 431 "))
        }
    }
}
