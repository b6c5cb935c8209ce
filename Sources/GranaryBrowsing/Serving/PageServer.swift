import Foundation
package import GranaryBase
import GranaryCoordination
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Answers the requests that `granary-browse` passes on, on a Unix socket in a folder that only this user can enter.
///
/// A connection has one request. Each thread has its own connection to the store, so that a slow page does not delay the
/// others.
package final class PageServer: Sendable {
    /// The path of the socket.
    package let path: String
    private let listener: Int32
    private let isStopped = Atomic(false)

    /// Creates the socket.
    ///
    /// - Parameter folder: a folder that only this user can enter.
    /// - Throws: ``GranaryError`` with code `uncreatable`, for example if the path is too long for a socket.
    package init(folder: String) throws(GranaryError) {
        path = "\(folder)/pages"
        listener = try UnixSocket.listener(path)
    }

    deinit { close(listener) }

    /// Starts threads that answer requests until ``stop()``.
    ///
    /// - Parameters:
    ///   - threads: the number of threads, each of which opens the store.
    ///   - open: opens the store.
    package func start(_ site: BrowserSite, threads: Int, open: @escaping @Sendable () throws -> any BrowsedStore) {
        for number in 1...max(1, threads) {
            let thread = Thread { [self] in
                var store: (any BrowsedStore)?
                while !isStopped.load(ordering: .acquiring) { answer(site, &store, open) }
            }
            thread.name = "granary-browse-\(number)"
            // As the main thread: predicates are evaluated recursively.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Lets the threads end after the request that they answer.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func answer(
        _ site: BrowserSite, _ store: inout (any BrowsedStore)?, _ open: () throws -> any BrowsedStore
    ) {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // No descriptors are left, or the socket is closed.
            if !isStopped.load(ordering: .acquiring) { usleep(20_000) }
            return
        }
        let connection = UnixSocket(descriptor)
        guard let head = connection.readHead(limit: BrowserRequest.headLimit), let request = BrowserRequest(head: head)
        else { return }
        let response = site.respond(to: request) {
            if store?.isCurrent != true { store = nil }
            let current = try store ?? open()
            store = current
            return current.backend
        }
        write(response, to: connection, isHead: request.method == "HEAD")
    }

    private func write(_ response: BrowserResponse, to connection: UnixSocket, isHead: Bool) {
        do {
            try connection.write(Array(ResponseText.head(of: response).utf8))
            guard !isHead else { return }
            switch response.body {
            case .bytes(let bytes): try connection.write(bytes)
            case .stream(let body):
                try body { (bytes) throws(GranaryError) in
                    guard !bytes.isEmpty else { return }
                    try connection.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8))
                    try connection.write(bytes)
                    try connection.write(Array("\r\n".utf8))
                }
                try connection.write(Array("0\r\n\r\n".utf8))
            }
        } catch {
            // The reader left, or the store cannot be read to its end. Without the last chunk, the browser notices.
        }
    }
}
