import Foundation
import GranaryBase
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryModel
@testable import GranaryPredicates

/// Objects that are all linked with each other. The time and the memory of a search grow with each step of a key path.
enum LinkedObjects {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "P",
            [
                .attribute("name", .string), .toMany("q", "P", inverse: "r"), .toMany("r", "P", inverse: "q"),
            ])
    ])

    static func container(_ store: StoreLocation) throws -> PersistentContainer {
        let container = try PersistentContainer(model: model, store: store)
        let context = container.makeContext()
        let objects = try (0..<16).map { _ in try context.insert(into: "P") }
        for object in objects { try object.setObjects(objects, forKey: "q") }
        try context.save()
        return container
    }

    static func count(_ container: PersistentContainer, _ text: String) throws -> Int {
        try container.withStore(forReading: true) { store in
            let entity = try #require(store.schema.entity(named: "P"))
            let resolver = PredicateResolver(schema: store.schema, entity: entity)
            let search = StoreSearch(
                entities: entity.family, predicate: try resolver.resolve(try ObjectPredicate(text)))
            return try store.count(search)
        }
    }
}

@Suite("Searches that would run for years") struct EndlessSearchTests {
    private static let path = String(repeating: "q.", count: 12)

    @Test(
        "A cancellation ends them", arguments: [true, false],
        [
            "\(path)@count > 0", "ANY \(path)name == 'x'", "SUBQUERY(\(path)q, $x, $x.name == 'x').@count > 0",
            "\(path)@count > 0 AND random(2) < 5",
        ])
    func cancellation(isInMemory: Bool, text: String) throws {
        let folder = try TemporaryFolder()
        let container = try LinkedObjects.container(isInMemory ? .inMemory : .sqlite(URL(filePath: folder.storePath)))
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: GranaryError.self) {
            try Cancellation.$current.withValue(cancellation) { try LinkedObjects.count(container, text) }
        }
        #expect(error?.code == .interrupted)
        #expect(try LinkedObjects.count(container, "q.@count == 16") == 16)
    }
}

@Suite("Searches that would run for years") struct EndlessSearchLongTests {
    @Test("The objects that a key path collects are limited") func limit() throws {
        let container = try LinkedObjects.container(.inMemory)
        let path = String(repeating: "q.", count: 6)
        let error = #expect(throws: GranaryError.self) { try LinkedObjects.count(container, "\(path)@count > 0") }
        #expect(error?.diagnostics.map(\.code) == [.limitExceeded])
        #expect(error?.message.contains("1000000 objects or values, the limit") == true)
    }
}
