import Foundation
import GranaryBase
import Synchronization

/// The changes that other processes and other coordinators save to the stores, from the time the sequence is created.
/// (`NSPersistentStoreRemoteChange`)
///
/// ```swift
/// for try await changes in try container.remoteChanges() {
///     try await background.perform { try $0.mergeChanges(from: changes) }
/// }
/// ```
/// Contexts with `automaticallyMergesChangesFromParent` merge the changes without the call, as they do with saves of this
/// coordinator.
///
/// The loop looks at each store in an interval. This is cheap while nothing changes: SQLite counts the commits of other
/// connections (`PRAGMA data_version`), and only after such a commit the history is read. All changes since the last look
/// are one element, so a slow loop misses nothing and needs at most one ID for each object. Nothing is read while nobody
/// waits for an element.
///
/// The loop ends when its task is cancelled or the container is released. A second loop over the same sequence receives
/// the changes after its start.
public struct RemoteChanges: AsyncSequence, Sendable {
    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        private weak var coordinator: PersistentStoreCoordinator?
        private let search: Result<RemoteSearch, any Error>
        private let interval: Duration
        private var nextLook: ContinuousClock.Instant?

        init(
            _ coordinator: PersistentStoreCoordinator?, _ search: Result<RemoteSearch, any Error>, _ interval: Duration
        ) {
            self.coordinator = coordinator
            self.search = search
            self.interval = interval
        }

        /// The next changes, with the position in the history after them (``SaveChanges/historyToken``); nil if the task
        /// is cancelled or the container was released.
        ///
        /// - Throws: ``GranaryError``: `refused` with `history.expired` (134301) if changes were removed from the
        ///   history before they were read, or with `limit.exceeded` for a transaction of more than 1,000,000 changes;
        ///   any error from reading.
        public mutating func next() async throws -> SaveChanges? {
            let search = try search.get()
            while true {
                if let nextLook { try? await Task.sleep(until: nextLook, clock: .continuous) }
                guard !Task.isCancelled, let coordinator else { return nil }
                nextLook = .now + interval
                if let changes = try await search.look(in: coordinator) { return changes }
            }
        }
    }

    private weak var coordinator: PersistentStoreCoordinator?
    private let interval: Duration
    /// The search of the first loop. It begins when the sequence is created.
    private let first: First

    private final class First: Sendable {
        let search: Mutex<RemoteSearch?>

        init(_ search: RemoteSearch) { self.search = Mutex(search) }
    }

    init(_ coordinator: PersistentStoreCoordinator, _ search: RemoteSearch, every interval: Duration) {
        self.coordinator = coordinator
        self.interval = Swift.max(interval, .milliseconds(1))
        first = First(search)
    }

    /// Makes an iterator; each loop has one.
    public func makeAsyncIterator() -> Iterator {
        let first = first.search.withLock { search in
            defer { search = nil }
            return search
        }
        let coordinator = coordinator
        return Iterator(
            coordinator, Result { try first ?? coordinator.map { try RemoteSearch($0, after: nil) } ?? RemoteSearch() },
            interval)
    }
}

extension PersistentStoreCoordinator {
    /// The changes that other processes and other coordinators save to the stores, from now on.
    ///
    /// Stores without a history (``PersistentStoreDescription/tracksHistory``) are not watched.
    ///
    /// - Parameters:
    ///   - token: the position after which changes are found; nil for now. With a token that was stored earlier, the
    ///     first element has the changes that were saved since then, also those of this program's earlier runs.
    ///   - interval: how often the stores are looked at while the loop waits.
    /// - Throws: ``GranaryError`` with code `usage` if no store has a history; any error from reading.
    public func remoteChanges(
        after token: PersistentHistoryToken? = nil, every interval: Duration = .milliseconds(500)
    ) throws -> RemoteChanges {
        RemoteChanges(self, try RemoteSearch(self, after: token), every: interval)
    }
}
