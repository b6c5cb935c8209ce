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

/// The process that writes.
enum LibraryWriter {
    static func add(_ title: String, to container: PersistentContainer) async throws {
        try await container.perform { context in
            context.transactionAuthor = "writer"
            context.name = "additions"
            try context.insert(into: "Book").setValue(.string(title), forKey: "title")
            try context.save()
        }
    }
}

/// The process that reads. It keeps its position in a file, so that it continues there after a restart.
struct LibraryReader {
    let container: PersistentContainer
    let tokenFile: URL

    /// Merges what other processes have saved since the last call, and returns the number of transactions.
    func update(_ context: ManagedObjectContext) throws -> Int {
        let coordinator = container.persistentStoreCoordinator
        var token = try? JSONDecoder().decode(PersistentHistoryToken.self, from: Data(contentsOf: tokenFile))
        var count = 0
        while true {
            let news: [PersistentHistoryTransaction]
            do {
                news = try coordinator.fetchHistory(after: token, limit: 100)
            } catch let error where error.coreDataCode == 134_301 {
                // Transactions after the token were deleted: read everything again and go on from here.
                try context.refreshAllObjects()
                token = try coordinator.currentPersistentHistoryToken()
                break
            }
            guard !news.isEmpty else { break }
            for transaction in news { try context.mergeChanges(from: transaction.saveChanges) }
            token = (token ?? PersistentHistoryToken(transactionNumbers: [:])).advanced(past: news)
            count += news.count
        }
        try JSONEncoder().encode(token).write(to: tokenFile, options: .atomic)
        return count
    }
}
