import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Accounts whose number and whose sum are the same after every save, for tests of readers and writers at once.
struct Bank: Sendable {
    static let accounts = 60
    static let sum: Int64 = 60 * 100
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Branch", [.toMany("accounts", "Account", inverse: "branch")]),
        EntityDescription(
            "Account",
            [
                .attribute("balance", .integer64), .attribute("note", .binary, .externalStorage),
                .toOne("branch", "Branch", inverse: "accounts"),
            ]),
    ])

    let container: PersistentContainer
    /// Ends the readers.
    let isOver = Flag()

    final class Flag: Sendable {
        private let value = Mutex(false)

        var isSet: Bool { value.withLock { $0 } }

        func set() { value.withLock { $0 = true } }
    }

    init(_ factory: StoreFactory) throws {
        container = try PersistentContainer(Self.model, factory)
        let context = container.makeContext()
        let branches = [try context.insert(into: "Branch"), try context.insert(into: "Branch")]
        for number in 0..<Self.accounts {
            let account = try context.insert(into: "Account")
            try account.setValue(.integer(100), forKey: "balance")
            try account.setObject(branches[number % 2], forKey: "branch")
        }
        try context.save()
    }

    /// Saves random transfers between accounts, some with a removed and a new account, some with a changed note.
    func write(_ saves: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = container.makeContext()
        context.mergePolicy = .error
        var left = saves
        while left > 0 {
            do {
                try transfer(in: context, &random)
                left -= 1
            } catch let error as GranaryError
                where error.diagnostics.allSatisfy({ $0.code == .objectConflict || $0.code == .objectGone })
            {
                context.rollback()
            }
            try context.refreshAllObjects()
        }
    }

    /// Saves a random transfer.
    private func transfer(in context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        let accounts = try context.fetchAll("Account")
        let branches = try context.fetchAll("Branch")
        guard let from = accounts.randomElement(using: &random), let to = accounts.randomElement(using: &random),
            from !== to
        else { return }
        let amount = Int64.random(in: 1...50, using: &random)
        let (old, new) = (try from.integer(forKey: "balance") ?? 0, try to.integer(forKey: "balance") ?? 0)
        try to.setValue(.integer(new + amount), forKey: "balance")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let account = try context.insert(into: "Account")
            try account.setValue(.integer(old - amount), forKey: "balance")
            try account.setObject(branches.randomElement(using: &random), forKey: "branch")
            try context.delete(from)
        case 1:
            try from.setValue(.integer(old - amount), forKey: "balance")
            // Long enough for a file.
            let note = Data(repeating: UInt8.random(in: 0...255, using: &random), count: 200_000)
            try from.setValue(.binary(note), forKey: "note")
        default:
            try from.setValue(.integer(old - amount), forKey: "balance")
            try from.setObject(branches.randomElement(using: &random), forKey: "branch")
        }
        try context.save()
    }

    /// Ends ``read(_:)``.
    func end() { isOver.set() }

    /// Reads until the writers are done, and at least once.
    func read(_ body: (Bank) throws -> Void) throws {
        repeat { try body(self) } while !isOver.isSet
    }

    /// What `body` reads in a context must have the number and the sum.
    static func check(_ context: ManagedObjectContext) throws {
        let accounts = try context.fetchAll("Account")
        var total: Int64 = 0
        for account in accounts {
            total += try account.integer(forKey: "balance") ?? 0
            if case .binary(let note)? = try account.value(forKey: "note") { try #require(note.count == 200_000) }
        }
        try #require(accounts.count == Self.accounts && total == Self.sum)
        let members = try context.fetchAll("Branch").flatMap { try $0.objects(forKey: "accounts") }
        try #require(Set(members.map(\.objectID)) == Set(accounts.map(\.objectID)))
        try #require(try context.count(for: FetchRequest("Account")) == Self.accounts)
        var request = FetchRequest("Account")
        request.propertiesToFetch = [
            .expression(ExpressionDescription("total", try ObjectExpression(format: "sum:(balance)")))
        ]
        try #require(try context.fetchDictionaries(request).first?["total"] == .integer(Self.sum))
    }
}

// What readers do.
extension Bank {
    /// A context keeps a new state for each round.
    func checkKeptState() throws {
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        for _ in 0..<3 { try Self.check(context) }
    }

    func readInTasks() async throws {
        repeat { try await container.read { try Self.check($0) } } while !isOver.isSet
    }

    /// A single fetch and a single aggregate have one state each.
    func checkSingleFetches() throws {
        let context = container.makeContext()
        var total: Int64 = 0
        let rows = try context.fetchDictionaries(FetchRequest("Account"))
        for row in rows { if case .integer(let balance)? = row["balance"] { total += balance } }
        try #require(rows.count == Self.accounts && total == Self.sum)
        try #require(try context.fetchAll("Account").count == Self.accounts)
    }

    /// What an export reads.
    func checkStore() throws {
        let keys = try container.withStore(forReading: true) { store in
            let family = try #require(store.schema.entity(named: "Account")).family
            var keys: Set<Int64> = []
            try store.read(entities: family, batchSize: 7) { batch in
                keys.formUnion(batch.rows.map(\.key))
                return true
            }
            try #require(try store.read(root: family.lowerBound, keys: Array(keys)).rows.count == keys.count)
            return keys
        }
        try #require(keys.count == Self.accounts)
    }
}
