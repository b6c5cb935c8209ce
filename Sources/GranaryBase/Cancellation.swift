import Synchronization

/// Cancels an import, an export or a revert from another thread. The store is then unchanged.
package final class Cancellation: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isCancelled: Bool { state.load(ordering: .acquiring) }

    package func cancel() { state.store(true, ordering: .releasing) }

    /// - Throws: ``GranaryError`` with code `interrupted` after ``cancel()`` was called.
    package func check() throws(GranaryError) {
        if isCancelled { throw GranaryError(.interrupted, "interrupted; the store is as it was") }
    }
}
