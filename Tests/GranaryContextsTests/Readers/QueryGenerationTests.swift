import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Contexts that keep reading one state of the stores.
@Suite("Query generations") struct QueryGenerationTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Team", [.attribute("name", .string), .toMany("people", "Person", inverse: "team")]),
        EntityDescription("Person", [.attribute("name", .string), .toOne("team", "Team", inverse: "people")]),
    ])

    /// A team "A" with Ann and Bob.
    private static func container(_ factory: StoreFactory = .sqliteWithLog) throws -> PersistentContainer {
        let container = try PersistentContainer(model, factory)
        let context = container.makeContext()
        let team = try context.insert(into: "Team")
        try team.setValue(.string("A"), forKey: "name")
        for name in ["Ann", "Bob"] {
            let person = try context.insert(into: "Person")
            try person.setValue(.string(name), forKey: "name")
            try person.setObject(team, forKey: "team")
        }
        try context.save()
        return container
    }

    private static func names(_ context: ManagedObjectContext) throws -> [String] {
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        return try context.fetch(request).map { try $0.string(forKey: "name") ?? "" }
    }

    /// Renames Bob, adds Cleo and removes Ann, in another context.
    private static func change(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        for person in try context.fetchAll("Person") {
            if try person.string(forKey: "name") == "Ann" { try context.delete(person) }
            if try person.string(forKey: "name") == "Bob" { try person.setValue(.string("Bert"), forKey: "name") }
        }
        let cleo = try context.insert(into: "Person")
        try cleo.setValue(.string("Cleo"), forKey: "name")
        try cleo.setObject(try context.fetchAll("Team").first, forKey: "team")
        try context.save()
    }

    @Test("Fetches, counts, IDs, dictionaries, faults and relationships read the state of the first read")
    func oneState() throws {
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        #expect(try context.count(for: FetchRequest("Person")) == 2)
        try Self.change(container)

        let team = try #require(try context.fetchAll("Team").first)
        #expect(try team.objects(forKey: "people").count == 2)
        #expect(try Self.names(context) == ["Ann", "Bob"])
        #expect(try context.count(for: FetchRequest("Person")) == 2)
        #expect(try context.fetchObjectIDs(FetchRequest("Person")).count == 2)
        let rows = try context.fetchDictionaries(FetchRequest("Person"))
        #expect(try rows.map { try $0[AttributeKey<String>("name")] } == ["Ann", "Bob"])
        try context.refreshAllObjects()
        #expect(try Self.names(context) == ["Ann", "Bob"])
        #expect(try Self.names(container.makeContext()) == ["Bert", "Cleo"])
    }

    @Test("The state is that of the next read, not of the call")
    func beginsWithTheFirstRead() throws {
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        try Self.change(container)
        #expect(try Self.names(context) == ["Bert", "Cleo"])
    }

    /// What moves a context to the present state.
    private static let moves:
        [(name: String, move: @Sendable (ManagedObjectContext, PersistentContainer) throws -> Void)] = [
            ("nil", { context, _ in try context.setQueryGeneration(nil) }),
            ("current", { context, _ in try context.setQueryGeneration(.current) }),
            ("reset", { context, _ in context.reset() }),
            ("merge", { context, _ in try context.mergeChanges(from: SaveChanges()) }),
            (
                "save",
                { context, _ in
                    try context.insert(into: "Team")
                    try context.save()
                }
            ),
        ]

    @Test("A save, a merge, a reset and another token move the context", arguments: moves.map(\.name))
    func moving(by name: String) throws {
        let move = try #require(Self.moves.first { $0.name == name }).move
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        #expect(try Self.names(context) == ["Ann", "Bob"])
        try Self.change(container)
        #expect(try Self.names(context) == ["Ann", "Bob"])
        try move(context, container)
        let other = try Self.names(container.makeContext())
        var request = FetchRequest("Person")
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        #expect(try Self.names(context) == other && other == ["Bert", "Cleo"])
        #expect((context.queryGenerationToken == nil) == (name == "nil"))
    }

    @Test("A rollback does not move the context")
    func rollback() throws {
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        _ = try Self.names(context)
        try Self.change(container)
        context.rollback()
        #expect(try Self.names(context) == ["Ann", "Bob"])
    }

    @Test("Contexts with the same token read the same state; a child reads its parent's")
    func sharedTokens() throws {
        let container = try Self.container()
        let first = container.makeContext()
        try first.setQueryGeneration(.current)
        _ = try Self.names(first)
        try Self.change(container)
        let second = container.makeContext()
        try second.setQueryGeneration(first.queryGenerationToken)
        #expect(second.queryGenerationToken == first.queryGenerationToken)
        #expect(try Self.names(second) == ["Ann", "Bob"])
        let child = first.makeChild()
        #expect(try Self.names(child) == ["Ann", "Bob"])
        // The state is kept by the second context.
        try first.setQueryGeneration(nil)
        #expect(try Self.names(second) == ["Ann", "Bob"])
    }

    @Test("A save compares with the present state")
    func conflicts() throws {
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        let bob = try #require(try context.fetch(FetchRequest("Person", where: ObjectPredicate("name == 'Bob'"))).first)
        try Self.change(container)
        try bob.setValue(.string("Bill"), forKey: "name")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.diagnostics.map(\.code) == [.objectConflict])
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try Self.names(container.makeContext()) == ["Bill", "Cleo"])
    }

    @Test("Misuse is an error that says what to do")
    func misuse() throws {
        let container = try Self.container()
        let other = try Self.container()
        let context = container.makeContext()
        let foreign = other.makeContext()
        try foreign.setQueryGeneration(.current)
        let calls: [(String, () throws -> Void)] = [
            ("a child context reads its parent", { try context.makeChild().setQueryGeneration(.current) }),
            ("belongs to another container", { try context.setQueryGeneration(foreign.queryGenerationToken) }),
            (
                "journalMode = .wal",
                { try Self.container(.sqlitePublished).makeContext().setQueryGeneration(.current) }
            ),
            ("journalMode = .wal", { try Self.container(.inMemory).makeContext().setQueryGeneration(.current) }),
        ]
        for (text, call) in calls {
            let error = #expect(throws: GranaryError.self) { try call() }
            #expect(error?.code == .usage && error?.message.contains(text) == true, "\(text): \(error as Any)")
        }
    }

    @Test("At most 64 states of a store are kept, and released ones make room")
    func limit() throws {
        let container = try Self.container()
        var contexts: [ManagedObjectContext] = []
        for _ in 0..<64 {
            let context = container.makeContext()
            try context.setQueryGeneration(.current)
            _ = try Self.names(context)
            contexts.append(context)
        }
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        let error = #expect(throws: GranaryError.self) { try Self.names(context) }
        #expect(error?.code == .usage && error?.message.contains("64 query generations") == true)
        contexts.removeLast()
        #expect(try Self.names(context) == ["Ann", "Bob"])
    }

    @Test("A removed store cannot be read in a kept state")
    func removedStore() throws {
        let container = try Self.container()
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        let person = try #require(try context.fetchAll("Person").first)
        try container.persistentStoreCoordinator.remove(
            try #require(container.persistentStoreCoordinator.persistentStores.first))
        context.reset()
        #expect(throws: GranaryError.self) { try Self.names(context) }
        withExtendedLifetime(person) {}
    }
}
