import Foundation
import GranaryBase

/// The connections for reading of one store. They are opened when they are needed and kept for the next use.
///
/// `@unchecked`: the condition guards all state, and one thread at a time uses a connection.
final class StoreReaders: @unchecked Sendable {
    /// The maximum number of states that ``PinnedReader``s keep at once.
    static let maximumPinned = 64

    private let identifier: String
    private let open: StoreReaderFactory
    /// The maximum number of connections that ``use(_:)`` takes at once.
    private let limit: Int
    private let condition = NSCondition()
    private var idle: [any StoreBackend] = []
    /// The threads that use a connection.
    private var threads: Set<ObjectIdentifier> = []
    private var pinned: [ObjectIdentifier: WeakReader] = [:]
    private var pinnedCount = 0
    private var isClosed = false

    private struct WeakReader {
        weak var reader: PinnedReader?
    }

    init(identifier: String, limit: Int, open: @escaping StoreReaderFactory) {
        self.identifier = identifier
        self.limit = max(1, limit)
        self.open = open
    }

    /// Runs `body` with a connection, in one snapshot of the store. Waits while the maximum number is in use.
    ///
    /// - Throws: ``GranaryError``: `usage` if the store was removed from its coordinator, or this thread uses a
    ///   connection already; `interrupted`; any error from opening a connection and from `body`.
    func use<Result>(_ body: (any StoreBackend) throws -> sending Result) throws -> sending Result {
        let thread = ObjectIdentifier(Thread.current)
        let store = try take(thread)
        defer { give(store, thread) }
        // `body` gives a value that nobody else has; the signature of `reading` does not say so.
        nonisolated(unsafe) let result = try store.reading { try body(store) }
        return result
    }

    private func take(_ thread: ObjectIdentifier) throws -> any StoreBackend {
        condition.lock()
        defer { condition.unlock() }
        guard !threads.contains(thread) else {
            throw GranaryError(
                .usage, "the store \(identifier) is in use by the call that this call is part of, such as an export")
        }
        while threads.count >= limit, !isClosed { try Cancellation.wait(for: condition) }
        let store = try connection()
        threads.insert(thread)
        return store
    }

    /// An idle or a new connection. The caller holds the condition, so threads open connections one after the other.
    private func connection() throws -> any StoreBackend {
        guard !isClosed else { throw GranaryError(.usage, "the store \(identifier) was removed from its coordinator") }
        if let store = idle.popLast() { return store }
        return try open()
    }

    private func give(_ store: any StoreBackend, _ thread: ObjectIdentifier) {
        condition.lock()
        threads.remove(thread)
        keep(store)
        condition.broadcast()
        condition.unlock()
    }

    private func keep(_ store: any StoreBackend) {
        if !isClosed, idle.count < limit { idle.append(store) }
    }

    // MARK: - Pinned connections

    /// Takes a connection that does not count as one of ``use(_:)``, for a ``PinnedReader``.
    ///
    /// - Throws: ``GranaryError``: `usage` if the store was removed from its coordinator or too many of its states are
    ///   kept; any error from opening.
    func takeSeparate() throws -> sending any StoreBackend {
        condition.lock()
        defer { condition.unlock() }
        guard pinnedCount < Self.maximumPinned else {
            throw GranaryError(
                .usage,
                "\(Self.maximumPinned) query generations of the store \(identifier) are in use; end some of them with "
                    + "setQueryGeneration(nil) or by releasing their contexts")
        }
        nonisolated(unsafe) let store = try connection()
        pinnedCount += 1
        return store
    }

    func note(_ reader: PinnedReader) {
        condition.lock()
        pinned[ObjectIdentifier(reader)] = WeakReader(reader: reader)
        condition.unlock()
    }

    /// Ends ``takeSeparate()``.
    ///
    /// - Parameters:
    ///   - store: the connection; nil if it was closed.
    ///   - reader: the reader that is being deallocated.
    func giveSeparate(_ store: (any StoreBackend)?, of reader: ObjectIdentifier? = nil) {
        condition.lock()
        if let reader { pinned[reader] = nil }
        pinnedCount -= 1
        if let store { keep(store) }
        condition.unlock()
    }

    /// Closes the connections, after their present use by other threads.
    func close() {
        condition.lock()
        isClosed = true
        idle = []
        let own = threads.contains(ObjectIdentifier(Thread.current)) ? 1 : 0
        while threads.count > own { condition.wait() }
        // The readers are retained until the condition is unlocked, because their deallocation needs it.
        let open = pinned.values.compactMap(\.reader)
        pinned = [:]
        condition.unlock()
        for reader in open { reader.close() }
    }
}
