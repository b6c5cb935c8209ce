import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Fetching") struct FetchingTests {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init() throws {
        container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
        context = container.makeContext()
    }

    @Test("All of an entity: stored ones by key, then new ones; changes are seen, deleted ones left out")
    func overlay() throws {
        let stored = try (0..<3).map { _ in try context.insert(into: "Node") } + [try context.insert(into: "Leaf")]
        try context.save()
        let other = container.makeContext()
        let found = try other.fetchAll("Node")
        #expect(found.map(\.objectID) == stored.map(\.objectID))
        #expect(found.map(\.entity.name) == ["Node", "Node", "Node", "Leaf"])
        try found[0].setValue("changed", forKey: "name")
        try other.delete(found[1])
        let new = [try other.insert(into: "Leaf"), try other.insert(into: "Node")]
        #expect(try other.fetchAll("Node") == [found[0], found[2], found[3]] + new)
        #expect(try other.fetchAll("Node")[0]["name"] == "changed")
        #expect(try other.fetchAll("Leaf") == [found[3], new[0]])
        #expect(try other.count("Node") == 5 && other.count("Leaf") == 2)
        #expect(try other.lookUpObject(with: found[1].objectID) == nil)
        #expect(
            try other.objects(with: [found[2].objectID, found[1].objectID, found[0].objectID]) == [found[2], found[0]])
    }

    @Test("There is one object for an ID, and none for the ID of another store")
    func uniquing() throws {
        let node = try context.insert(into: "Node")
        try context.save()
        #expect(try context.fetchAll("Node").first === node)
        #expect(try context.lookUpObject(with: node.objectID) === node)
        let stranger = try PersistentContainer(model: ConformanceModel.model, store: .inMemory).makeContext()
        try stranger.insert(into: "Node")
        try stranger.save()
        #expect(try stranger.lookUpObject(with: node.objectID) == nil)
    }

    @Test("An unknown entity is named with the nearest known one; an abstract one has no objects")
    func refusedEntities() throws {
        let error = #expect(throws: GranaryError.self) { try context.fetchAll("Nodes") }
        #expect(error?.diagnostics.first?.code == .entityUnknown)
        #expect(error?.message.contains("did you mean \"Node\"?") == true)
        #expect(throws: GranaryError.self) { try context.insert(into: "Nothing at all") }
        let model = ManagedObjectModel(entities: [
            EntityDescription("Person", [], isAbstract: true),
            EntityDescription("Customer", [], superentity: "Person"),
        ])
        let people = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let refusal = #expect(throws: GranaryError.self) { try people.insert(into: "Person") }
        #expect(refusal?.diagnostics.first?.code == .entityAbstract)
        let customer = try people.insert(into: "Customer")
        #expect(try people.fetchAll("Person") == [customer])
    }

    @Test("A cell that the model does not allow is reported with its place")
    func corruptCells() throws {
        let entity = try #require(container.schema.entity(named: "Values"))
        try container.withStore { store in
            try store.transaction { writer in
                var batch = RowBatch()
                let row = batch.appendRow(entity: entity.index, key: 1, version: 1, slotCount: entity.slotCount)
                batch[row, try #require(entity.attribute(named: "boolean")).slot] = .integer(2)
                try writer.insert(batch)
            }
        }
        let error = #expect(throws: GranaryError.self) { try context.fetchAll("Values") }
        #expect(error?.diagnostics.first?.code == .storeCorrupt)
        #expect(error?.diagnostics.first?.property == "boolean")
    }

    @Test("Reset lets go of everything; a context that is gone leaves its objects with their values")
    func reset() throws {
        let node = try context.insert(into: "Node")
        try node.setValue("kept", forKey: "name")
        context.reset()
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        #expect(node["name"] == "kept" && node.managedObjectContext == nil)
        #expect(throws: GranaryError.self) { try node.objects(forKey: "children") }
        #expect(throws: GranaryError.self) { try node.setObject(nil, forKey: "parent") }
    }
}
