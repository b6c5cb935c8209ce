import Foundation
import Granary

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
            } catch {
                guard error.coreDataCode == 134_301 else { throw error }
                // Transactions after the token were deleted: read everything again and go on from here.
                token = try coordinator.currentPersistentHistoryToken()
                try context.refreshAllObjects()
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
