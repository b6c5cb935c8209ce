import Granary
import Testing

/// Records the calls of the methods that a subclass can override.
private final class Cup: ManagedObject {
    nonisolated(unsafe) static var log: [String] = []

    private func note(_ call: String) { Self.log.append(call) }

    override func awakeFromInsert() { note("awakeFromInsert") }
    override func awakeFromFetch() { note("awakeFromFetch") }
    override func willTurnIntoFault() { note("willTurnIntoFault") }
    override func didTurnIntoFault() { note("didTurnIntoFault") }
    override func willSave() { note("willSave") }
    override func didSave() { note("didSave") }
    override func prepareForDeletion() { note("prepareForDeletion") }
}

/// The methods of managed objects that a subclass overrides. One test at a time, because the calls are in one list.
@Suite("Methods of managed objects", .serialized) struct ObjectMethodsTests {
    private let container: PersistentContainer

    init() throws {
        var cup = EntityDescription("Cup", [.attribute("name", .string)])
        cup.managedObjectClassName = "Cup"
        container = try PersistentContainer(
            model: ManagedObjectModel(entities: [cup]), store: .inMemory, classes: ["Cup": Cup.self])
        Cup.log = []
    }

    private func insert(_ name: String) async throws -> ManagedObjectID {
        try await container.perform { context in
            let cup = try context.insert(Cup.self)
            try cup.setValue(.string(name), forKey: "name")
            try context.save()
            return cup.objectID
        }
    }

    @Test("The methods of a subclass are called in their order")
    func lifecycle() async throws {
        let id = try await insert("A")
        #expect(Cup.log == ["awakeFromInsert", "willSave", "didSave"])
        Cup.log = []
        try await container.perform { context in
            let cup = try context.existingObject(with: id)
            #expect(cup["name"] == "A")
            try context.refresh(cup, mergeChanges: false)
            #expect(Cup.log == ["awakeFromFetch", "willTurnIntoFault", "didTurnIntoFault"])
            try context.delete(cup)
            try context.save()
            #expect(Cup.log.contains("prepareForDeletion"))
        }
    }
}
