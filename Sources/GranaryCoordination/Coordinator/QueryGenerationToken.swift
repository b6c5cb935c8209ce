import GranaryBase
import Synchronization

/// A state of the stores that a context keeps reading, whatever others save. (`NSQueryGenerationToken`)
///
/// ``ManagedObjectContext/setQueryGeneration(_:)`` sets it. Contexts with the same token read the same state.
public struct QueryGenerationToken: Sendable, Hashable {
    /// The state at the time of the context's next read. (`NSQueryGenerationToken.current`)
    public static let current = Self(generation: nil)

    package let generation: QueryGeneration?

    package init(generation: QueryGeneration?) { self.generation = generation }

    public static func == (left: Self, right: Self) -> Bool { left.generation === right.generation }

    public func hash(into hasher: inout Hasher) { hasher.combine(generation.map { ObjectIdentifier($0) }) }
}

/// One state of those stores of a coordinator that can keep one, from the first read on.
package final class QueryGeneration: Sendable {
    private static let count = Atomic<Int>(0)

    /// Tells rows of this state from others: it is negative, and the coordinator's counts of saves are not.
    package let number: Int
    package let coordinator: PersistentStoreCoordinator
    /// Nil before the first read.
    private let readers = Mutex<[ObjectIdentifier: PinnedReader]?>(nil)

    package init(_ coordinator: PersistentStoreCoordinator) {
        number = -Self.count.add(1, ordering: .relaxed).newValue
        self.coordinator = coordinator
    }

    /// The connection that keeps the state of a store; nil if the store cannot keep one or was added later.
    ///
    /// - Throws: ``GranaryError``: `usage` if too many states are kept; any error from opening connections.
    func reader(of store: PersistentStore) throws -> PinnedReader? {
        try readers.withLock { readers in
            if let readers { return readers[ObjectIdentifier(store)] }
            var pinned: [ObjectIdentifier: PinnedReader] = [:]
            for store in coordinator.persistentStores { pinned[ObjectIdentifier(store)] = try store.pinnedReader() }
            readers = pinned
            return pinned[ObjectIdentifier(store)]
        }
    }
}

extension PersistentStoreCoordinator {
    /// Whether a store can keep a state for readers while others write.
    package var hasQueryGenerations: Bool { persistentStores.contains(where: \.hasReaders) }
}
