import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// One object after the other, with a batch in memory.
@Suite("Enumerating") struct EnumerationTests {
    private struct Stop: Error {}

    /// Writes nodes 0, 1, … past the contexts.
    private func fill(_ container: PersistentContainer, count: Int) throws {
        let node = try #require(container.schema.entity(named: "Node"))
        let slot = try #require(node.attribute(named: "name")).slot
        try container.withStore { store in
            try store.transaction { writer in
                let first = try writer.reserveKeys(root: node.root, count: count)
                var batch = RowBatch()
                for number in 0..<count {
                    let row = batch.appendRow(
                        entity: node.index, key: first + Int64(number), version: 1, slotCount: node.slotCount)
                    AttributeValue.string("\(number)").withBorrowed { batch.set($0, row: row, slot: slot) }
                    if batch.rows.count == 500 || number + 1 == count {
                        try writer.insert(batch)
                        batch.removeAll()
                    }
                }
            }
        }
    }

    @Test("2,000 objects pass, and only a few are there at a time", arguments: StoreFactory.kinds)
    func many(_ factory: StoreFactory) throws { try checkMany(factory, count: 2_000, batch: 100) }

    func checkMany(_ factory: StoreFactory, count: Int, batch: Int) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        try fill(container, count: count)
        let context = container.makeContext()
        var request = FetchRequest("Node")
        request.fetchBatchSize = batch
        var (seen, most) = (0, 0)
        var isInOrder = true
        try context.enumerate(request) { node in
            isInOrder = isInOrder && node["name"] == .string("\(seen)")
            seen += 1
            most = max(most, context.registeredObjects.count)
        }
        #expect(seen == count && isInOrder)
        #expect(most <= batch)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("Order, offset and limit are those of a fetch", arguments: StoreFactory.kinds)
    func windows(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        try fill(container, count: 23)
        let context = container.makeContext()
        let stored = try context.fetchAll("Node")
        try context.delete(stored[4])
        try stored[7].setValue("a", forKey: "name")
        let new = try context.insert(into: "Leaf")
        try new.setValue("0a", forKey: "name")
        for sort in [[], [ObjectSortDescriptor("name", ascending: false)]] {
            for (offset, limit) in [
                (0, 0), (0, 5), (3, 1), (20, 9), (22, 0), (99, 3), (-1, -1), (1, Int.max), (Int.max, 1),
            ] {
                for batchSize in [0, 1, 7] {
                    var request = FetchRequest("Node")
                    request.sortDescriptors = sort
                    request.fetchOffset = offset
                    request.fetchLimit = limit
                    request.fetchBatchSize = batchSize
                    var passed: [ManagedObject] = []
                    try context.enumerate(request) { passed.append($0) }
                    #expect(try passed == context.fetch(request), "\(offset), \(limit), \(batchSize)")
                }
            }
        }
    }

    @Test("Objects may be changed and deleted while they pass", arguments: StoreFactory.kinds)
    func changesOnTheWay(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        try fill(container, count: 50)
        let context = container.makeContext()
        var request = FetchRequest("Node")
        request.fetchBatchSize = 7
        var seen = 0
        try context.enumerate(request) { node in
            if seen % 2 == 0 { try context.delete(node) } else { try node.setValue("kept", forKey: "name") }
            seen += 1
            // Saving in between, as a program does that must not grow.
            if seen % 10 == 0 { try context.save() }
        }
        try context.save()
        #expect(seen == 50)
        let names = try container.makeContext().fetchAll("Node").map { $0["name"] }
        #expect(names.count == 25 && names.allSatisfy { $0 == "kept" })
    }

    @Test("An error of the body ends it", arguments: StoreFactory.kinds)
    func stopping(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        try fill(container, count: 5)
        let context = container.makeContext()
        var seen = 0
        #expect(throws: Stop.self) {
            try context.enumerate(FetchRequest("Node")) { _ in
                seen += 1
                if seen == 3 { throw Stop() }
            }
        }
        #expect(seen == 3)
        #expect(throws: GranaryError.self) { try context.enumerate(FetchRequest("Nodes")) { _ in } }
        #expect(try context.count("Node") == 5)
    }

    @Test("A child passes on what its parent has", arguments: StoreFactory.kinds)
    func child(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        try fill(container, count: 5)
        let context = container.makeContext()
        try context.insert(into: "Node").setValue("new", forKey: "name")
        let child = context.makeChild()
        var names: [AttributeValue?] = []
        try child.enumerate(FetchRequest("Node")) { names.append($0["name"]) }
        #expect(names == ["0", "1", "2", "3", "4", "new"])
    }
}

@Suite struct EnumerationLongTests {
    @Test("20,000 objects pass, and only a few are there at a time", arguments: StoreFactory.everyKind)
    func many(_ factory: StoreFactory) throws {
        try EnumerationTests().checkMany(factory, count: 20_000, batch: 500)
    }
}
