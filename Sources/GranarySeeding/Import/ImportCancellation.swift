import Synchronization

/// Ends an import from another thread; the store is then as it was.
package final class ImportCancellation: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isCancelled: Bool { state.load(ordering: .acquiring) }

    package func cancel() { state.store(true, ordering: .releasing) }
}
