import Foundation
import Granary

/// The programs of docs/history.md.
enum HistoryDocument {
    static func open(_ model: ManagedObjectModel, at url: URL) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(url))
        description.tracksHistory = true
        description.journalMode = .wal
        let container = try PersistentContainer(name: "Library", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }

    static func filters(_ coordinator: PersistentStoreCoordinator, _ token: PersistentHistoryToken?) throws {
        var filter = PersistentHistoryFilter()
        filter.authors = ["sync"]
        filter.entityNames = ["Book"]
        filter.changeTypes = [.insert, .update]
        filter.changePredicate = try ObjectPredicate("ANY updatedProperties == %@ OR changeType == 0", "title")
        let transactions = try coordinator.fetchHistory(after: token, where: filter, limit: 1_000)
        for transaction in transactions {
            print(transaction.transactionNumber, transaction.author ?? "-", transaction.changes.count)
        }
    }

    static func clean(_ coordinator: PersistentStoreCoordinator, _ oldest: PersistentHistoryToken) throws -> Int {
        let removed = try coordinator.deleteHistory(before: oldest)
        try coordinator.deleteHistory(before: Date.now.addingTimeInterval(-30 * 86_400))
        return removed
    }
}
