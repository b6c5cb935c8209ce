import FlyingSocks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Listens on 127.0.0.1 and [::1] and serves connections.
struct LoopbackServer<Pool: AsyncSocketPool>: Sendable {
    /// The maximum number of connections at the same time; a browser opens six.
    static var connectionLimit: Int { 64 }

    private let pool: Pool
    private let listeners: [AsyncSocket]
    /// The port, also if a free one was asked for.
    let port: UInt16

    /// Listens on a port; 0 for a free one.
    ///
    /// - Throws: `SocketError` if the port is taken.
    init(port: UInt16, pool: Pool) throws {
        self.pool = pool
        let first = try Self.listener(try .inet(ip4: "127.0.0.1", port: port), AF_INET)
        guard case .ip4(_, let port) = try first.sockname() else { throw SocketError.unsupportedAddress }
        self.port = port
        var listeners = [try AsyncSocket(socket: first, pool: pool)]
        // A machine without IPv6, or another program on that port, is no reason to fail: 127.0.0.1 suffices.
        if let second = try? Self.listener(.loopback(port: port), AF_INET6) {
            listeners.append(try AsyncSocket(socket: second, pool: pool))
        }
        self.listeners = listeners
    }

    private static func listener(_ address: some SocketAddress, _ family: Int32) throws -> Socket {
        let socket = try Socket(domain: family, type: .stream)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// Serves connections until the task is cancelled.
    ///
    /// - Parameter pages: the path of the Unix socket of `granary`.
    func run(pages: String) async throws {
        let relay = Relay(pool: pool, pages: pages)
        let open = OpenConnections(limit: Self.connectionLimit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            for listener in listeners {
                group.addTask { try await Self.accept(on: listener, relay, open) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func accept(on listener: AsyncSocket, _ relay: Relay<Pool>, _ open: OpenConnections) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let client: AsyncSocket
                do {
                    client = try await listener.accept()
                } catch is CancellationError {
                    return
                } catch {
                    // Too many open files, or a reader that left at once: the next one may be served.
                    try await Task.sleep(for: .milliseconds(50))
                    continue
                }
                guard open.enter() else {
                    try? client.close()
                    continue
                }
                group.addTask {
                    await relay.serve(client)
                    open.leave()
                }
            }
        }
    }
}
