import GranaryBase
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryModel

/// An in-memory store evaluates a search in memory, an SQLite store in SQL: both must find the same objects in the same
/// order.
@Suite("Searches in SQL and in memory") struct SearchTwinTests {
    static func containers(employees: Int = 60) throws -> (PersistentContainer, PersistentContainer) {
        let memory = try PersistentContainer(SearchModel.model, .inMemory, classes: [:])
        let sqlite = try PersistentContainer(SearchModel.model, .sqlitePublished, classes: [:])
        try SearchModel.fill(memory, employees: employees)
        try SearchModel.fill(sqlite, employees: employees)
        return (memory, sqlite)
    }

    /// Compares the two for predicates of a seed, and returns how many were accepted and how many SQL answered alone.
    static func compare(
        seed: UInt64, count: Int, _ memory: PersistentContainer, _ sqlite: PersistentContainer
    ) throws -> (accepted: Int, complete: Int) {
        var generator = PredicateGenerator(random: SeededGenerator(seed: seed))
        var (accepted, complete) = (0, 0)
        for _ in 0..<count {
            let predicate = generator.predicate()
            let entity = generator.pick(["Employee", "Employee", "Manager"])
            let order = generator.order()
            let limit = generator.pick([nil, nil, 3, 10])
            let offset = generator.pick([0, 0, 2])
            let after = generator.pick([nil, nil, 0, 9, 1000] as [Int64?])
            func run(_ container: PersistentContainer) throws -> (keys: [Int64], count: Int, isComplete: Bool) {
                try container.withStore(forReading: true) { store in
                    guard let entity = store.schema.entity(named: entity) else { return ([], 0, false) }
                    let resolver = PredicateResolver(schema: store.schema, entity: entity)
                    try resolver.check(order)
                    let search = StoreSearch(
                        entities: entity.family, predicate: try resolver.resolve(predicate), order: order,
                        limit: limit, offset: offset, afterKey: after)
                    let prepared = try store.prepare(search)
                    return (
                        try store.keys(search).map(\.key), try store.count(search),
                        prepared.map { $0.rest == nil && $0.isOrdered } ?? false
                    )
                }
            }
            let expected: (keys: [Int64], count: Int, isComplete: Bool)
            do { expected = try run(memory) } catch let error as GranaryError where error.code == .usage { continue }
            let found = try run(sqlite)
            #expect(found.keys == expected.keys, "\(entity) WHERE \(predicate) ORDER \(order)")
            #expect(found.count == expected.count, "\(entity) WHERE \(predicate)")
            #expect(expected.count == expected.keys.count, "\(entity) WHERE \(predicate)")
            accepted += 1
            complete += found.isComplete ? 1 : 0
        }
        return (accepted, complete)
    }

    @Test("Random predicates find the same objects")
    func random() throws { try Self.check(seed: 1, count: 150) }

    static func check(seed: UInt64, count: Int) throws {
        let (memory, sqlite) = try containers()
        let (accepted, complete) = try compare(seed: seed, count: count, memory, sqlite)
        // The generator must not make predicates that are all refused, or that SQL never answers.
        #expect(accepted > count * 3 / 4)
        #expect(complete > count / 4)
    }
}

@Suite("Many searches in SQL and in memory") struct SearchTwinLongTests {
    @Test("Few random predicates find the same objects", arguments: [1, 2] as [UInt64])
    func few(_ seed: UInt64) throws { try SearchTwinTests.check(seed: seed, count: 400) }

    @Test("Random predicates find the same objects", arguments: 100..<108)
    func random(_ seed: Int) throws {
        let (memory, sqlite) = try SearchTwinTests.containers(employees: 25 + seed % 50)
        let (accepted, _) = try SearchTwinTests.compare(seed: UInt64(seed), count: 1500, memory, sqlite)
        #expect(accepted > 1200)
    }
}
