import Foundation
import GranaryBase

/// A store, or one of its connections for reading, that one thread at a time can use.
///
/// `@unchecked`: the initialiser takes the store as `sending`, and only the owner uses the store.
final class ExclusiveStore: @unchecked Sendable {
    private let identifier: String
    private let condition = NSCondition()
    /// The thread that uses the store. Access requires the condition's lock.
    private var owner: ObjectIdentifier?
    /// Nil after the store was closed. Access requires the condition's lock.
    private var store: (any StoreBackend)?

    init(_ store: sending any StoreBackend) {
        identifier = store.identifier
        self.store = store
    }

    /// Waits until no other thread uses the store, and runs `body` with it.
    ///
    /// - Throws: ``GranaryError``: `usage` if the store was closed, or this thread uses it already; `interrupted`; any
    ///   error from `body`.
    func use<Result>(_ body: (any StoreBackend) throws -> sending Result) throws -> sending Result {
        let store = try own()
        defer { disown() }
        return try body(store)
    }

    private func own() throws(GranaryError) -> any StoreBackend {
        let thread = ObjectIdentifier(Thread.current)
        condition.lock()
        defer { condition.unlock() }
        try check(thread)
        while owner != nil { try Cancellation.wait(for: condition) }
        guard let store else {
            throw GranaryError(.usage, "the store \(identifier) was removed from its coordinator")
        }
        owner = thread
        return store
    }

    private func disown() {
        condition.lock()
        owner = nil
        condition.signal()
        condition.unlock()
    }

    private func check(_ thread: ObjectIdentifier) throws(GranaryError) {
        guard owner == thread else { return }
        throw GranaryError(
            .usage, "the store \(identifier) is in use by the call that this call is part of, such as an import")
    }

    /// - Throws: ``GranaryError`` with code `usage` if this thread uses the store.
    func checkIsFree() throws(GranaryError) {
        condition.lock()
        defer { condition.unlock() }
        try check(ObjectIdentifier(Thread.current))
    }

    /// Waits until no other thread uses the store, and returns it: this object is closed. Nil if it was closed before.
    @discardableResult
    func close() -> sending (any StoreBackend)? {
        let thread = ObjectIdentifier(Thread.current)
        condition.lock()
        defer { condition.unlock() }
        while let owner, owner != thread { condition.wait() }
        nonisolated(unsafe) let closed = store
        store = nil
        condition.broadcast()
        return closed
    }
}

extension Cancellation {
    /// Waits for a condition whose lock the caller holds, but not after the cancellation of the thread's work.
    ///
    /// - Throws: ``GranaryError`` with code `interrupted`.
    static func wait(for condition: NSCondition) throws(GranaryError) {
        guard let current else { return condition.wait() }
        try current.check()
        // A cancellation wakes nobody.
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
}
