import FlyingSocks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Serves one connection: reads the head of a request, passes it to `granary`, and copies the answer back.
///
/// A connection has one request, so nothing has to be found out about where one request ends and the next begins.
struct Relay<Pool: AsyncSocketPool>: Sendable {
    /// The times after which a connection is closed.
    struct Times: Sendable {
        /// For the whole head of a request.
        var head = Duration.seconds(10)
        /// For the next part of the answer. `granary` ends a page after 30 seconds.
        var answer = Duration.seconds(60)
        /// For the reader to take the next part.
        var write = Duration.seconds(30)
    }

    let pool: Pool
    /// The path of the Unix socket of `granary`.
    let pages: String
    var times = Times()

    func serve(_ client: AsyncSocket) async {
        defer { try? client.close() }
        do {
            try await pass(try await head(from: client), to: client)
        } catch let refusal as RequestHead.Refusal {
            try? await write(Data(refusal.response.utf8), to: client)
        } catch {
            // The reader or `granary` has gone; there is nobody to tell.
        }
    }

    private func head(from client: AsyncSocket) async throws -> RequestHead {
        do {
            return try await within(times.head) {
                var bytes: [UInt8] = []
                while true {
                    if let length = RequestHead.length(in: bytes) { return try RequestHead(bytes[..<length]) }
                    guard bytes.count <= RequestHead.limit else { throw RequestHead.Refusal.headTooLarge }
                    bytes += try await client.read(atMost: 4096)
                }
            }
        } catch is DeadlineError {
            throw RequestHead.Refusal.timeout
        }
    }

    private func pass(_ head: RequestHead, to client: AsyncSocket) async throws {
        let granary: AsyncSocket
        do {
            granary = try await AsyncSocket.connected(to: .unix(path: pages), pool: pool)
        } catch {
            throw RequestHead.Refusal.busy
        }
        defer { try? granary.close() }
        try await write(Data(head.forwardedText.utf8), to: granary)
        while let part = try await next(from: granary) { try await write(Data(part), to: client) }
    }

    /// The next part of the answer; nil at its end.
    private func next(from granary: AsyncSocket) async throws -> [UInt8]? {
        do {
            return try await within(times.answer) { try await granary.read(atMost: 4096) }
        } catch SocketError.disconnected {
            return nil
        }
    }

    private func write(_ data: Data, to socket: AsyncSocket) async throws {
        try await within(times.write) { try await socket.write(data) }
    }
}
