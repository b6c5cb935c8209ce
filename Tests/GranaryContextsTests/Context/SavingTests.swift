import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

@Suite("Saving") struct SavingTests {
    @Test("Only what differs from the store is written, with a version one higher", arguments: StoreFactory.all)
    func versions(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let nodes = try (0..<4).map { _ in try context.insert(into: "Node") }
        try context.save()
        #expect(try versions(container) == [1, 1, 1, 1])
        try nodes[0].setValue("x", forKey: "name")
        try nodes[1].setValue("x", forKey: "name")
        try nodes[1].setValue(nil, forKey: "name")
        try nodes[2].setValue(nil, forKey: "name")
        #expect(nodes[1].isUpdated && !nodes[2].isUpdated)
        try context.save()
        #expect(!context.hasChanges && !nodes[1].isUpdated)
        #expect(try versions(container) == [2, 1, 1, 1])
        // Both ends of a new link have changed.
        try nodes[1].add(nodes[3], forKey: "likes")
        try context.save()
        #expect(try versions(container) == [2, 2, 1, 2])
        try context.save()
        #expect(try versions(container) == [2, 2, 1, 2])
    }

    private func versions(_ container: PersistentContainer) throws -> [Int64] {
        let node = try #require(container.schema.entity(named: "Node"))
        return try container.withStore { store in
            var versions: [Int64] = []
            try store.read(entities: node.family, batchSize: 100) { batch in
                versions += batch.rows.map(\.version)
                return true
            }
            return versions
        }
    }

    @Test("Values of every type survive a save", arguments: StoreFactory.all)
    func everyType(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        var expected: [(ManagedObjectID, String, AttributeValue)] = []
        var objects: [(ManagedObject, String, AttributeValue)] = []
        for (name, values) in ConformanceModel.values {
            for value in values {
                let object = try context.insert(into: "Values")
                try object.setValue(value, forKey: name)
                objects.append((object, name, value))
            }
        }
        try context.save()
        expected = objects.map { ($0.objectID, $1, $2) }
        let fresh = container.makeContext()
        for (id, name, value) in expected {
            let object = try #require(try fresh.lookUpObject(with: id))
            #expect(try object.value(forKey: name) == value, "\(name)")
            #expect(!object.hasChanges)
        }
    }

    @Test("A save that the store has overtaken is refused, and changes nothing", arguments: StoreFactory.all)
    func conflicts(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let nodes = try (0..<3).map { _ in try context.insert(into: "Node") }
        try context.save()
        let other = container.makeContext()
        try other.lookUpObject(with: nodes[0].objectID)?.setValue("theirs", forKey: "name")
        try other.delete(try #require(try other.lookUpObject(with: nodes[1].objectID)))
        try other.save()
        for node in nodes { try node.setValue("ours", forKey: "name") }
        try context.insert(into: "Tag")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.diagnostics.map(\.code) == [.objectConflict, .objectConflict])
        #expect(error?.diagnostics.map(\.coreDataCode) == [133_020, 133_020])
        let fresh = container.makeContext()
        #expect(try fresh.fetchAll("Node").map { $0["name"] } == ["theirs", nil])
        #expect(try fresh.count("Tag") == 0)
        #expect(context.updatedObjects.count == 3 && context.insertedObjects.count == 1)
        context.rollback()
        #expect(!context.hasChanges && nodes[2]["name"] == nil)
    }

    @Test("A Decimal that the store would round is refused by the validation")
    func precision() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Price", [.attribute("amount", .decimal)])])
        let number = try #require(Decimal(string: "0.12345678901234567890123456789012345678"))
        for isExact in [true, false] {
            let store = RoundingStore(InMemoryStore(schema: try model.resolved()), keepsExactDecimals: isExact)
            let context = try PersistentContainer(store: store).makeContext()
            let price = try context.insert(into: "Price")
            try price.setValue(.decimal(number), forKey: "amount")
            let found = try context.validate()
            #expect(found.map(\.code) == (isExact ? [] : [.valuePrecision]))
            #expect(found.first?.property == (isExact ? nil : "amount"))
            try price.setValue(.decimal(Decimal(string: "0.10") ?? 0), forKey: "amount")
            try context.save()
        }
    }

    @Test(
        "New objects get their keys in the order they were inserted, over the whole hierarchy",
        arguments: StoreFactory.all)
    func keyOrder(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(ConformanceModel.model, factory).makeContext()
        let names = ["Leaf", "Node", "Tag", "Leaf", "Node"]
        let objects = try names.map { try context.insert(into: $0) }
        try context.save()
        #expect(objects.map(\.objectID.key) == [1, 2, 1, 3, 4])
    }
}

/// A store that says of itself whether it rounds.
private final class RoundingStore: ForwardingStore {
    let base: any StoreBackend
    let capabilities: StoreCapabilities

    init(_ base: InMemoryStore, keepsExactDecimals: Bool) {
        self.base = base
        capabilities = keepsExactDecimals ? .exactDecimals : []
    }
}
