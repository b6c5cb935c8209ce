import Foundation
import Granary
import Testing

/// Has a property of its own, set up by its initialiser.
private final class Cup: ManagedObject {
    let created: Date

    required init(_ creation: Creation) {
        created = Date()
        super.init(creation)
    }

    static let name = AttributeKey<String>("name")
}

/// Objects by their IDs, and classes with an initialiser.
@Suite("Object lookup") struct ObjectLookupTests {
    private let container: PersistentContainer

    init() throws {
        var cup = EntityDescription("Cup", [.attribute("name", .string)])
        cup.managedObjectClassName = "Cup"
        container = try PersistentContainer(
            model: ManagedObjectModel(entities: [cup, EntityDescription("Shape", [], isAbstract: true)]),
            store: .inMemory, classes: ["Cup": Cup.self])
    }

    @Test("A class can have an initialiser and properties that are not in the model")
    func initialisers() async throws {
        try await container.perform { context in
            let cup = try context.insert(Cup.self)
            #expect(abs(cup.created.timeIntervalSinceNow) < 60 && cup.entity.name == "Cup")
            try cup.set("A", for: Cup.name)
            #expect(Cup.name.name == "name" && cup.description.hasPrefix("Cup ("))
            #expect(context.persistentStoreCoordinator.schema.entity(named: "Shape")?.isAbstract == true)
        }
    }

    @Test("Objects are found by their IDs, one or many")
    func lookup() async throws {
        let ids = try await container.perform { context in
            let cups = try (0..<3).map { _ in try context.insert(Cup.self) }
            try context.save()
            return cups.map(\.objectID)
        }
        #expect(Set(ids).count == 3 && ids[0].description == ids[0].uriRepresentation.absoluteString)
        try await container.perform { context in
            let fault = context.object(with: ids[0])
            #expect(fault.isFault && fault.objectID == ids[0])
            #expect(try context.objects(with: ids).map(\.objectID) == ids)
            #expect(try context.existingObject(with: ids[0]) === fault)
            try context.delete(fault)
            try context.save()
        }
        try await container.perform { context in
            let rest = try context.objects(with: ids)
            #expect(rest.map(\.objectID) == Array(ids.dropFirst()))
            let error = #expect(throws: GranaryError.self) { try context.existingObject(with: ids[0]) }
            #expect(error?.diagnostics.first?.code == .objectGone && error?.coreDataCode == 133_000)
            let gone = error?.diagnostics.first
            #expect(gone?.object == ids[0].uriRepresentation.absoluteString && gone?.entity == "Cup")
        }
    }
}
