import Synchronization

/// The saves of a container's contexts, from the time the sequence is created.
///
/// ```swift
/// for await changes in container.saves where !changes.isIntoParent { await show(changes.updated) }
/// ```
/// A slow listener receives several saves joined into one. A second loop over the same sequence receives only the saves
/// after its start.
public struct Saves: AsyncSequence, Sendable {
    /// Waits for one save at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: SaveMailbox

        /// The next save; nil if the task is cancelled.
        public mutating func next() async -> SaveChanges? { await mailbox.next() }
    }

    private let source: Source

    init(subscribe: @escaping @Sendable () -> SaveMailbox) { source = Source(subscribe: subscribe) }

    /// Makes an iterator; each loop has one.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: source.mailbox()) }

    /// Keeps the saves between the creation of the sequence and the first loop.
    private final class Source: Sendable {
        private let first: Mutex<SaveMailbox?>
        private let subscribe: @Sendable () -> SaveMailbox

        init(subscribe: @escaping @Sendable () -> SaveMailbox) {
            self.subscribe = subscribe
            first = Mutex(subscribe())
        }

        func mailbox() -> SaveMailbox {
            let waiting = first.withLock { first in
                defer { first = nil }
                return first
            }
            return waiting ?? subscribe()
        }
    }
}
