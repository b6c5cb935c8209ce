import Foundation
import GranaryBase
import Synchronization

/// Finds the transactions of others in the history of stores.
final class RemoteSearch: Sendable {
    /// How far a store was read.
    private struct Place {
        /// The number of the last known transaction.
        var last: Int64
        /// The store's count of others' commits when it was read; nil before.
        var version: Int64?
        /// The transactions of the store's own connection.
        let own: TransactionLog
    }

    private let places = Mutex<[String: Place]>([:])
    private let queue = DispatchQueue(label: "Granary.RemoteChanges")
    private static let batch = 100

    /// A search in no stores.
    init() {}

    /// - Parameter token: the position to begin at; nil for the end of the history.
    init(_ coordinator: PersistentStoreCoordinator, after token: PersistentHistoryToken?) throws {
        var places: [String: Place] = [:]
        for store in coordinator.persistentStores {
            places[store.identifier] = try Self.place(in: store, after: token)
        }
        guard !places.isEmpty else {
            throw GranaryError(
                .usage,
                "changes of other processes are found in a store's history, and no store has one; open the store with "
                    + "tracksHistory")
        }
        self.places.withLock { $0 = places }
    }

    /// Nil if the store has no history.
    private static func place(in store: PersistentStore, after token: PersistentHistoryToken?) throws -> Place? {
        try store.withLock { backend in
            guard let last = try backend.lastHistoryTransaction(), let version = try backend.dataVersion() else {
                return nil
            }
            let own = TransactionLog()
            backend.add(own)
            guard let token else { return Place(last: last, version: version, own: own) }
            return Place(last: token.lastTransaction(ofStore: store.identifier), version: nil, own: own)
        }
    }

    /// Looks for changes, and lets contexts merge them.
    ///
    /// - Returns: nil if there are none.
    func look(in coordinator: PersistentStoreCoordinator) async throws -> SaveChanges? {
        // Another thread may have a store for long.
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.lookNow(in: coordinator) }) }
        }
    }

    private func lookNow(in coordinator: PersistentStoreCoordinator) throws -> SaveChanges? {
        var all = SaveChanges()
        for store in coordinator.persistentStores {
            do { try look(in: store, &all) } catch let error as GranaryError where error.code == .busy {
                // Its changes are found by the next look.
            }
        }
        guard !all.isEmpty else { return nil }
        coordinator.noteSave()
        coordinator.announceRemote(all)
        return all
    }

    private func look(in store: PersistentStore, _ all: inout SaveChanges) throws {
        let identifier = store.identifier
        guard var place = places.withLock({ $0[identifier] }) else {
            // The store was added after the start.
            let new = try Self.place(in: store, after: nil)
            return places.withLock { $0[identifier] = new }
        }
        defer { places.withLock { $0[identifier] = place } }
        let version = try store.withLock { backend -> Int64? in
            let version = try backend.dataVersion()
            // Without a commit of others, all new transactions are own ones.
            if version == place.version, let last = place.own.last { place.last = max(place.last, last) }
            return version
        }
        guard version != place.version else { return place.own.forget(through: place.last) }
        var found: [PersistentHistoryTransaction]
        repeat {
            (found, _) = try store.withLock { backend in
                (try backend.historyTransactions(after: place.last, limit: Self.batch, of: store.identity), ())
            }
            for transaction in found {
                place.last = transaction.transactionNumber
                if !place.own.contains(place.last) { all.append(transaction.saveChanges) }
            }
            place.own.forget(through: place.last)
        } while !found.isEmpty
        place.version = version
    }
}
