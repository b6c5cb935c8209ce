import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Several members of an ordered relationship at once, as the methods of generated classes change them, against an
/// array.
@Suite("Ordered relationships at several indexes") struct IndexSetTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "List", [.toMany("items", "Item", inverse: "list", .ordered), .toMany("free", "Item", inverse: "other")]),
        EntityDescription(
            "Item", [.toOne("list", "List", inverse: "items"), .toOne("other", "List", inverse: "free")]),
    ])

    @Test("They are where an array has them, also when read again", arguments: StoreFactory.kinds)
    func program(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(Self.model, factory)
        let context = container.makeContext()
        let list = try context.insert(into: "List")
        var random = SeededGenerator(seed: 11)
        var twin: [ManagedObject] = []
        for step in 0..<120 {
            let count = Int.random(in: 0..<4, using: &random)
            switch step % 3 {
            case 0:
                let new = try (0..<count).map { _ in try context.insert(into: "Item") }
                var indexes = IndexSet()
                while indexes.count < count {
                    indexes.insert(Int.random(in: 0..<twin.count + count, using: &random))
                }
                list.insertTyped(new, at: indexes, forKey: "items")
                for (index, item) in zip(indexes, new) { twin.insert(item, at: index) }
            case 1:
                let indexes = IndexSet(twin.indices.shuffled(using: &random).prefix(count / 2))
                list.removeTyped(at: indexes, forKey: "items")
                for index in indexes.reversed() { twin.remove(at: index) }
            default:
                let indexes = IndexSet(twin.indices.shuffled(using: &random).prefix(count))
                // Two members that are replaced may change places.
                var new = indexes.reversed().map { twin[$0] }
                if !new.isEmpty { new[0] = try context.insert(into: "Item") }
                list.replaceTyped(at: indexes, with: new, forKey: "items")
                for (index, item) in zip(indexes, new) { twin[index] = item }
            }
            #expect(try list.objects(forKey: "items") == twin, "step \(step)")
            guard step % 20 == 0 else { continue }
            try context.save()
            let reader = container.makeContext()
            let stored = try reader.existingObject(with: list.objectID).objects(forKey: "items").map(\.objectID)
            #expect(stored == twin.map(\.objectID))
        }
        #expect(context.accessError == nil && twin.count > 3)
    }

    @Test("What does not fit changes nothing, and the save tells", arguments: StoreFactory.kinds)
    func refused(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(Self.model, factory)
        let context = container.makeContext()
        let list = try context.insert(into: "List")
        let items = try (0..<3).map { _ in try context.insert(into: "Item") }
        let new = try context.insert(into: "Item")
        try list.setObjects(items, forKey: "items")
        let changes: [(String, () -> Void)] = [
            ("the number of indexes is 2", { list.insertTyped([new], at: [0, 1], forKey: "items") }),
            ("must be below 4", { list.insertTyped([new], at: [4], forKey: "items") }),
            ("would be a member twice", { list.insertTyped([items[0]], at: [3], forKey: "items") }),
            ("would be a member twice", { list.insertTyped([new, new], at: [0, 1], forKey: "items") }),
            ("must be below 3", { list.removeTyped(at: [3], forKey: "items") }),
            ("must be below 3", { list.removeTyped(at: IndexSet(integersIn: 0..<Int.max), forKey: "items") }),
            ("the number of indexes is 1", { list.replaceTyped(at: [0], with: [], forKey: "items") }),
            ("must be below 3", { list.replaceTyped(at: [3], with: [new], forKey: "items") }),
            ("would be a member twice", { list.replaceTyped(at: [0], with: [items[1]], forKey: "items") }),
            ("is not ordered", { list.insertTyped([new], at: [0], forKey: "free") }),
            ("is not ordered", { list.removeTyped(at: [], forKey: "free") }),
        ]
        for (text, change) in changes {
            change()
            let error = try #require(throws: GranaryError.self) { try context.save() }
            #expect(error.code == .usage && error.message.contains(text), "\(error.message)")
            #expect(try list.objects(forKey: "items") == items)
        }
        list.removeTyped(at: IndexSet(), forKey: "items")
        list.insertTyped([new], at: [3], forKey: "items")
        #expect(try list.objects(forKey: "items") == items + [new])
        try context.save()
    }
}
