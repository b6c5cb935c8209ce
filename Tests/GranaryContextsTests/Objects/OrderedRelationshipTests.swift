import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Members of ordered relationships inserted, moved and removed in place, against an array.
@Suite("Ordered relationships in place") struct OrderedRelationshipTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "List",
            [
                .toMany("items", "Item", inverse: "list", .ordered), .toMany("tags", "Tag", inverse: "lists", .ordered),
                .toMany("free", "Item", inverse: "other"),
            ]),
        EntityDescription(
            "Item",
            [
                .attribute("name", .string), .toOne("list", "List", inverse: "items"),
                .toOne("other", "List", inverse: "free"),
            ]),
        EntityDescription("Tag", [.attribute("name", .string), .toMany("lists", "List", inverse: "tags")]),
    ])

    @Test(
        "They stand where they were put, also when read again and undone", arguments: StoreFactory.kinds,
        ["items", "tags"])
    func program(_ factory: StoreFactory, _ key: String) throws {
        let container = try PersistentContainer(Self.model, factory)
        let context = container.makeContext()
        let list = try context.insert(into: "List")
        var random = SeededGenerator(seed: 7)
        var twin: [ManagedObject] = []
        let members = try (0..<8).map { _ in try context.insert(into: key == "items" ? "Item" : "Tag") }
        try context.save()
        for step in 0..<300 {
            let before = twin
            context.undoManager = ObjectUndoManager()
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let member = members[Int.random(in: 0..<members.count, using: &random)]
                let place = Int.random(in: 0..<twin.count + 1, using: &random)
                try list.insert(member, at: place, forKey: key)
                if !twin.contains(member) { twin.insert(member, at: place) }
            case 1 where !twin.isEmpty:
                let (from, to) = (
                    Int.random(in: 0..<twin.count, using: &random), Int.random(in: 0..<twin.count, using: &random)
                )
                try list.moveObject(at: from, to: to, forKey: key)
                twin.insert(twin.remove(at: from), at: to)
            case 2 where !twin.isEmpty:
                let place = Int.random(in: 0..<twin.count, using: &random)
                try list.removeObject(at: place, forKey: key)
                twin.remove(at: place)
            default: continue
            }
            #expect(try list.objects(forKey: key) == twin)
            for _ in 0..<2 { #expect(list.typedList(forKey: key) == twin) }
            for member in members where key == "items" {
                #expect(try member.object(forKey: "list") === (twin.contains(member) ? list : nil))
            }
            if step % 3 == 0 {
                try context.undo()
                #expect(try list.objects(forKey: key) == before, "step \(step)")
                #expect(list.typedList(forKey: key) == before, "step \(step)")
                try context.redo()
                #expect(list.typedList(forKey: key) == twin, "step \(step)")
                #expect(try list.objects(forKey: key) == twin, "step \(step)")
            }
            guard step % 10 == 0 else { continue }
            try context.save()
            let reader = container.makeContext()
            let stored = try reader.existingObject(with: list.objectID).objects(forKey: key).map(\.objectID)
            #expect(stored == twin.map(\.objectID))
        }
    }

    @Test("What has no order, and an index out of range, are errors")
    func errors() throws {
        let context = try PersistentContainer(model: Self.model, store: .inMemory).makeContext()
        let (list, item) = (try context.insert(into: "List"), try context.insert(into: "Item"))
        func message(_ body: () throws -> Void) -> String? {
            do { try body() } catch let error as GranaryError {
                return error.code == .usage ? error.message : nil
            } catch {}
            return nil
        }
        #expect(message { try list.insert(item, at: 0, forKey: "free") } == "List.free is not ordered")
        #expect(message { try list.insert(item, at: 1, forKey: "items") }?.contains("from 0 to 0") == true)
        #expect(message { try list.insert(item, at: -1, forKey: "items") } != nil)
        #expect(message { try list.removeObject(at: 0, forKey: "items") }?.contains("it has no objects") == true)
        try list.insert(item, at: 0, forKey: "items")
        #expect(message { try list.moveObject(at: 0, to: 1, forKey: "items") }?.contains("from 0 to 0") == true)
        #expect(message { try list.removeObject(at: .max, forKey: "items") } != nil)
        #expect(message { try item.insert(list, at: 0, forKey: "list") } != nil)
        #expect(try list.objects(forKey: "items") == [item])
    }

    @Test("Indexes count the objects that are there", arguments: StoreFactory.kinds)
    func hidden(_ factory: StoreFactory) throws {
        // The links to a deleted item stay.
        let model = ManagedObjectModel(entities: [
            EntityDescription("List", [.toMany("items", "Item", inverse: "list", .ordered)]),
            EntityDescription(
                "Item", [.toOne("list", "List", inverse: "items", .deleteRule(.noAction))]),
        ])
        let container = try PersistentContainer(model, factory)
        let context = container.makeContext()
        let list = try context.insert(into: "List")
        let items = try (0..<4).map { _ in try context.insert(into: "Item") }
        try list.setObjects(items, forKey: "items")
        try context.save()
        #expect(list.typedList(forKey: "items") == items)
        try context.delete(items[1])
        try context.processPendingChanges()
        #expect(list.typedList(forKey: "items") == [items[0], items[2], items[3]])
        #expect(try list.objects(forKey: "items") == [items[0], items[2], items[3]])
        try list.removeObject(at: 1, forKey: "items")
        #expect(try list.objects(forKey: "items") == [items[0], items[3]])
        try list.insert(items[2], at: 1, forKey: "items")
        #expect(try list.objects(forKey: "items") == [items[0], items[2], items[3]])
        try list.moveObject(at: 2, to: 0, forKey: "items")
        #expect(try list.objects(forKey: "items") == [items[3], items[0], items[2]])
        try list.moveObject(at: 0, to: 2, forKey: "items")
        #expect(try list.objects(forKey: "items") == [items[0], items[2], items[3]])
        #expect(throws: GranaryError.self) { try list.removeObject(at: 3, forKey: "items") }
    }

    /// A list with three items, as another context of the same store sees it.
    private func stored() throws -> (PersistentContainer, ManagedObjectContext, ManagedObject) {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let writer = container.makeContext()
        let list = try writer.insert(into: "List")
        try list.setObjects((0..<3).map { _ in try writer.insert(into: "Item") }, forKey: "items")
        try writer.save()
        let context = container.makeContext()
        return (container, context, try context.existingObject(with: list.objectID))
    }

    private func storage(_ list: ManagedObject) -> UnsafePointer<ManagedObject>? {
        (list.typedList(forKey: "items") as [ManagedObject]).withUnsafeBufferPointer(\.baseAddress)
    }

    @Test("The list that was read last is not made again until something changes")
    func recent() throws {
        let (container, context, list) = try stored()
        // It stays in memory, so that another array has another address.
        let kept: [ManagedObject] = list.typedList(forKey: "items")
        let first = kept.withUnsafeBufferPointer(\.baseAddress)
        #expect(storage(list) == first)
        _ = try context.fetch(FetchRequest("Tag"))
        #expect(storage(list) == first)
        #expect((list.typedList(forKey: "tags") as [ManagedObject]).isEmpty)

        #expect(storage(list) != first)
        withExtendedLifetime(kept) {}

        // Others delete a member that is a fault here.
        let member: ManagedObject = try #require((list.typedList(forKey: "items") as [ManagedObject]).first)
        let other = container.makeContext()
        try other.delete(try other.existingObject(with: member.objectID))
        try other.save()
        try context.refreshAllObjects()
        #expect((list.typedList(forKey: "items") as [ManagedObject]).map(\.objectID).contains(member.objectID) == false)
        context.reset()
        #expect((list.typedList(forKey: "items") as [ManagedObject]).isEmpty)
        #expect(throws: GranaryError.self) { try context.save() }
    }

    @Test("Its objects are released with its owner, and when another list is read")
    func recentIsReleased() throws {
        let (container, context, list) = try stored()
        do {
            let other = container.makeContext()
            let same = try other.existingObject(with: list.objectID)
            _ = storage(same)
            #expect(other.registeredObjects.count == 4)
            _ = same.typedList(forKey: "tags") as [ManagedObject]
            #expect(other.registeredObjects.count == 1)
        }
        var owner: ManagedObject? = list
        let id = list.objectID
        _ = consume list
        _ = owner.map(storage)
        #expect(context.registeredObjects.count == 4)
        owner = nil
        #expect(context.registeredObjects.isEmpty)
        // An object of the same ID is another one.
        #expect(try storage(context.existingObject(with: id)) != nil)
    }
}
