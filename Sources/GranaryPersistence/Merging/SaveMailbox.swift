import Synchronization

/// What was saved and not fetched yet by one listener.
///
/// Bounded: when many saves wait, they are joined into one, so that no more than every object's ID is kept.
final class SaveMailbox: Sendable {
    private struct State {
        var saves: [SaveChanges] = []
        var waiter: CheckedContinuation<SaveChanges?, Never>?
        var isClosed = false
    }

    private static let limit = 64
    private let state = Mutex(State())

    func put(_ changes: SaveChanges) {
        let waiter = state.withLock { state -> CheckedContinuation<SaveChanges?, Never>? in
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if state.saves.count < Self.limit {
                state.saves.append(changes)
            } else {
                state.saves[Self.limit - 1].append(changes)
            }
            return nil
        }
        waiter?.resume(returning: changes)
    }

    /// Everything that waits.
    func takeAll() -> [SaveChanges] {
        state.withLock { state in
            defer { state.saves = [] }
            return state.saves
        }
    }

    /// The next save; nil when the task is cancelled.
    func next() async -> SaveChanges? {
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

    private func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}

/// The saves of a container's contexts, as they happen, from the moment the sequence was asked for.
///
/// ```swift
/// for await changes in container.saves { await show(changes.updated) }
/// ```
/// A listener that is slow gets several saves as one.
public struct Saves: AsyncSequence, Sendable {
    /// Waits for one save after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: SaveMailbox

        /// The next save; nil when the task is cancelled.
        public mutating func next() async -> SaveChanges? { await mailbox.next() }
    }

    let mailbox: SaveMailbox

    /// For one loop at a time: two would share the saves among them.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}
