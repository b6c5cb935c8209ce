import Synchronization

/// The saves of a container's contexts, as they happen, from the moment the sequence was asked for.
///
/// ```swift
/// for await changes in container.saves where !changes.isIntoParent { await show(changes.updated) }
/// ```
/// A listener that is slow gets several saves as one. A second loop over one sequence hears of the saves from its
/// start on.
public struct Saves: AsyncSequence, Sendable {
    /// Waits for one save after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: SaveMailbox

        /// The next save; nil when the task is cancelled.
        public mutating func next() async -> SaveChanges? { await mailbox.next() }
    }

    private let source: Source

    init(subscribe: @escaping @Sendable () -> SaveMailbox) { source = Source(subscribe: subscribe) }

    /// Each loop has an iterator of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: source.mailbox()) }

    /// Keeps what is saved between the asking and the first loop.
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
