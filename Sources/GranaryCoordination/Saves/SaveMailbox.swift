import Synchronization

/// The saves that one listener has not fetched yet.
///
/// The number of waiting saves is bounded: beyond the limit a save is joined with the last one, so at most one ID per
/// object is kept.
package final class SaveMailbox: Sendable {
    private struct State {
        var saves: [SaveChanges] = []
        var waiter: CheckedContinuation<SaveChanges?, Never>?
        var isClosed = false
    }

    private static let limit = 64
    private let state = Mutex(State())
    /// Whether the listener receives saves of child contexts. Contexts do not: the stores do not have these changes
    /// yet.
    let receivesChildSaves: Bool

    /// Whether the listener is told of changes without a list of their objects (``SaveChanges/isUnlisted``).
    let receivesUnlistedChanges: Bool

    package init(receivesChildSaves: Bool, receivesUnlistedChanges: Bool = false) {
        self.receivesChildSaves = receivesChildSaves
        self.receivesUnlistedChanges = receivesUnlistedChanges
    }

    func put(_ changes: SaveChanges) {
        let waiter = state.withLock { state -> CheckedContinuation<SaveChanges?, Never>? in
            if state.isClosed { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            // Saves of child contexts are not joined with saves to the stores.
            let last = state.saves.lastIndex { $0.isIntoParent == changes.isIntoParent }
            if state.saves.count >= Self.limit, let last {
                state.saves[last].append(changes)
            } else {
                state.saves.append(changes)
            }
            return nil
        }
        waiter?.resume(returning: changes)
    }

    /// Removes and returns all waiting saves.
    package func takeAll() -> [SaveChanges] {
        state.withLock { state in
            defer { state.saves = [] }
            return state.saves
        }
    }

    /// Puts saves that could not be merged back before later ones.
    package func putBack(_ saves: [SaveChanges]) { state.withLock { $0.saves.insert(contentsOf: saves, at: 0) } }

    /// Waits for the next save; returns nil if the task is cancelled.
    package func next() async -> SaveChanges? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> SaveChanges?? in
                    if state.isClosed { return .some(nil) }
                    if !state.saves.isEmpty { return .some(state.saves.removeFirst()) }
                    state.waiter = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            close()
        }
    }

    /// Ends the waiting of the listener, and every later one.
    package func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}
