import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// `PersistentContainer.updates(of:)`.
@Suite("Updates of results") struct ResultsUpdatesTests {
    /// The request of people by name, with the numbers as sections.
    static func request(_ predicate: String? = nil) throws -> FetchRequest<ManagedObject> {
        var request = FetchRequest("Person", where: try predicate.map { try ObjectPredicate(format: $0) })
        request.sortDescriptors = [ObjectSortDescriptor("number"), ObjectSortDescriptor("name")]
        return request
    }

    static func name(_ object: ManagedObject) throws -> String { try object.string(forKey: "name") ?? "" }

    static func container(_ factory: StoreFactory, _ names: [String]) async throws -> PersistentContainer {
        let container = try PersistentContainer(PeopleModel.model, factory)
        try await container.perform { context in
            for name in names { _ = try context.person(name, salary: 1) }
            try context.save()
        }
        return container
    }

    @Test("First the results, then the changes of each save", arguments: StoreFactory.kinds)
    func saves(_ factory: StoreFactory) async throws {
        let container = try await Self.container(factory, ["Ann", "Bob"])
        var updates = container.updates(of: try Self.request(), sectionedBy: "number", Self.name).makeAsyncIterator()
        var list: [ResultsSection<String>] = []
        try await updates.next()?.apply(to: &list)
        #expect(list == [ResultsSection(name: "7", objects: ["Ann", "Bob"])])
        try await container.perform { context in
            let person = try context.person("Cid")
            try person.setValue(1, forKey: "number")
            _ = try context.person("Abe")
            try context.save()
        }
        try await updates.next()?.apply(to: &list)
        let expected = [
            ResultsSection(name: "1", objects: ["Cid"]), ResultsSection(name: "7", objects: ["Abe", "Ann", "Bob"]),
        ]
        #expect(list == expected)
        let changes = try await container.perform { context in
            let people = try context.fetch(try Self.request())
            try people[1].setValue("Zoe", forKey: "name")
            try people[2].setValue("some", forKey: "note")
            try context.delete(people[0])
            try context.save()
            return people.map(\.objectID)
        }
        let update = try #require(try await updates.next())
        guard case .change(let change) = update else { throw GranaryError(.internalDefect, "not a change") }
        #expect(change.sectionChanges == [.init(.delete, name: "1", index: 0)])
        #expect(change.objectChanges.map(\.kind) == [.delete, .move, .update])
        #expect(change.objectChanges.map(\.element) == [nil, "Zoe", "Ann"])
        #expect(change.objectChanges.map(\.objectID) == [changes[0], changes[1], changes[2]])
    }

    @Test("A slow loop gets the changes of many saves as one") func slow() async throws {
        let container = try await Self.container(.inMemory, ["Ann"])
        var updates = container.updates(of: try Self.request("salary > 0"), Self.name).makeAsyncIterator()
        var list: [ResultsSection<String>] = []
        try await updates.next()?.apply(to: &list)
        for number in 0..<300 {
            try await container.perform { context in
                _ = try context.person("P\(number)", salary: Int64(number % 2))
                try context.save()
            }
        }
        let update = try #require(try await updates.next())
        try update.apply(to: &list)
        #expect(list[0].objects.count == 151)
        // Nothing is left; the next save is the next element.
        try await container.perform { context in
            for person in try context.fetchAll("Person") { try context.delete(person) }
            try context.save()
        }
        try await updates.next()?.apply(to: &list)
        #expect(list == [ResultsSection(name: "")])
    }

    @Test("Saves that change nothing in the results are no elements") func unrelated() async throws {
        let container = try await Self.container(.inMemory, ["Ann"])
        var updates = container.updates(of: try Self.request(), Self.name).makeAsyncIterator()
        _ = try await updates.next()
        try await container.perform { context in
            _ = try context.department("A")
            try context.save()
        }
        let id = try await container.perform { context in
            let person = try context.person("Bob")
            try context.save()
            return person.objectID
        }
        guard case .change(let change) = try await updates.next() else { throw GranaryError(.internalDefect, "ended") }
        #expect(change.objectChanges.map(\.objectID) == [id])
    }

    @Test("Batch requests and bulk writes are followed", arguments: StoreFactory.kinds)
    func batches(_ factory: StoreFactory) async throws {
        let container = try await Self.container(factory, ["Ann", "Bob", "Cid"])
        var updates = container.updates(of: try Self.request("salary < 5"), Self.name).makeAsyncIterator()
        var list: [ResultsSection<String>] = []
        try await updates.next()?.apply(to: &list)
        #expect(list[0].objects == ["Ann", "Bob", "Cid"])
        try await container.perform { context in
            var request = BatchUpdateRequest("Person", propertiesToUpdate: ["salary": .constant(9)])
            request.predicate = try ObjectPredicate(format: "name == 'Bob'")
            _ = try context.execute(request)
            request.predicate = try ObjectPredicate(format: "name == 'Cid'")
            request.propertiesToUpdate = ["note": .constant("new")]
            _ = try context.execute(request)
        }
        guard case .change(let change) = try await updates.next() else { throw GranaryError(.internalDefect, "ended") }
        #expect(change.objectChanges.map(\.kind) == [.delete, .update])
        try change.apply(to: &list)
        #expect(list[0].objects == ["Ann", "Cid"])
    }

    @Test("The loop ends when its task is cancelled", .timeLimit(.minutes(1))) func cancelled() async throws {
        let container = try await Self.container(.inMemory, ["Ann"])
        let updates = container.updates(of: try Self.request(), Self.name)
        let task = Task {
            var count = 0
            for try await _ in updates { count += 1 }
            return count
        }
        while true {
            task.cancel()
            if try await task.value <= 1 { break }
        }
        #expect(container.name == "Store")
    }

    @Test("The loop does not retain the container, and ends with it", .timeLimit(.minutes(1)))
    func released() async throws {
        var container: PersistentContainer? = try await Self.container(.inMemory, ["Ann"])
        weak let released = container
        var updates = try #require(container).updates(of: try Self.request(), Self.name).makeAsyncIterator()
        let late = try #require(container).updates(of: try Self.request(), Self.name)
        #expect(try await updates.next() != nil)
        container = nil
        #expect(released == nil)
        #expect(try await updates.next() == nil)
        for try await _ in late { Issue.record("the container does not exist any more") }
    }

    @Test("An error of the closure, and of the request, ends the loop") func errors() async throws {
        let container = try await Self.container(.inMemory, ["Ann"])
        var updates = container.updates(of: try Self.request()) { (object: ManagedObject) throws -> String in
            let name = try Self.name(object)
            guard name != "Bob" else { throw GranaryError(.usage, "Bob") }
            return name
        }.makeAsyncIterator()
        #expect(try await updates.next() != nil)
        try await container.perform { context in
            _ = try context.person("Bob")
            try context.save()
        }
        await #expect(throws: GranaryError.self) { try await updates.next() }
        #expect(try await updates.next() == nil)
        var wrong = container.updates(of: FetchRequest("Nobody"), Self.name).makeAsyncIterator()
        await #expect(throws: GranaryError.self) { try await wrong.next() }
        #expect(try await wrong.next() == nil)
    }

    @Test("Concurrent saves are all followed", arguments: StoreFactory.kinds, [1] as [UInt64])
    func concurrent(_ factory: StoreFactory, seed: UInt64) async throws {
        try await Self.followConcurrentSaves(factory, seed: seed, saves: 30)
    }

    /// Three contexts insert, change and delete while a loop follows; then the results are those of a fetch.
    static func followConcurrentSaves(_ factory: StoreFactory, seed: UInt64, saves: Int) async throws {
        let container = try await container(factory, ["a", "b", "c", "d"])
        let updates = container.updates(of: try request("salary < 5"), sectionedBy: "number") { object in
            "\(try name(object)) \(try object.integer(forKey: "salary") ?? -1) \(object.objectID)"
        }
        let seen = SeenObjects()
        let loop = Task {
            var list: [ResultsSection<String>] = []
            do {
                for try await update in updates {
                    try update.apply(to: &list)
                    seen.set(list.flatMap(\.objects))
                }
            } catch { Issue.record(error) }
        }
        defer { loop.cancel() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 10 &+ UInt64(writer))
                    for _ in 0..<saves {
                        let seed = UInt64.random(in: 0..<UInt64.max, using: &random)
                        try await container.perform { try change($0, seed: seed) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = try await container.perform { context in
            let last = try context.person("last", salary: 1)
            try last.setValue(99, forKey: "number")
            try context.save()
            return try context.fetch(try request("salary < 5")).map {
                "\(try name($0)) \(try $0.integer(forKey: "salary") ?? -1) \($0.objectID)"
            }
        }
        // An element may come before the last save is merged, with what that save has changed.
        let end = ContinuousClock.now + .seconds(30)
        while seen.all != expected, .now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(seen.all == expected)
    }

    private static func change(_ context: ManagedObjectContext, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var people = try context.fetchAll("Person")
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            people.removeAll { $0.isDeleted }
            let person = people.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let new = try context.person(["a", "b", "c"].randomElement(using: &random) ?? "a")
                try new.setValue(.integer(Int64.random(in: 0..<8, using: &random)), forKey: "salary")
            case 2: try person?.setValue(.integer(Int64.random(in: 0..<8, using: &random)), forKey: "salary")
            case 3: try person?.setValue(.integer(Int64.random(in: 0..<4, using: &random)), forKey: "number")
            default: if let person, people.count > 3 { try context.delete(person) }
            }
        }
        try context.save()
    }
}

@Suite struct ResultsUpdatesLongTests {
    @Test("Concurrent saves are all followed", arguments: StoreFactory.every, [2, 3, 4] as [UInt64])
    func concurrent(_ factory: StoreFactory, seed: UInt64) async throws {
        try await ResultsUpdatesTests.followConcurrentSaves(factory, seed: seed, saves: 150)
    }
}

/// The objects of the last element.
private final class SeenObjects: Sendable {
    private let objects = Mutex<[String]>([])

    var all: [String] { objects.withLock { $0 } }

    func set(_ new: [String]) { objects.withLock { $0 = new } }
}
