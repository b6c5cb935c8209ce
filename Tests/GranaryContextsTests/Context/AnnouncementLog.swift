import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import StoreTestSupport
import Synchronization

/// What contexts have announced, in numbers.
final class AnnouncementLog: Sendable {
    struct Numbers: Sendable, Equatable {
        var inserted = 0
        var updated = 0
        var deleted = 0
        var refreshed = 0
    }

    private let numbers = Mutex<[Numbers]>([])

    /// Since the last call.
    func takeAll() -> [Numbers] {
        numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
    }

    @discardableResult
    func observe(_ context: ManagedObjectContext) -> ContextObservation {
        context.addObserver { [self] changes in
            let new = Numbers(
                inserted: changes.inserted.count, updated: changes.updated.count, deleted: changes.deleted.count,
                refreshed: changes.refreshed.count)
            numbers.withLock { $0.append(new) }
        }
    }
}
