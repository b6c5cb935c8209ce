import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import StoreTestSupport
import TestSupport
import Testing

/// The behaviour that all kinds of stores share.
@Suite("Store conformance") struct StoreConformance {
    // MARK: - Rows

    @Test("Rows are inserted, read in order of their keys, updated and deleted", arguments: StoreFactory.conforming)
    func rows(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let node = try bench.entity("Node").index
        try bench.store.transaction { writer in
            try writer.reserveKeys(root: node, through: 9)
            for key in [5, 2, 9, 1] { try writer.insert(try bench.row("Node", Int64(key), ["name": "n\(key)".value])) }
            try writer.insert(try bench.row("Leaf", 3, ["name": "leaf", "weight": 1.5]))
        }
        #expect(try bench.keys("Node") == [1, 2, 3, 5, 9])
        #expect(try bench.keys("Leaf") == [3])
        #expect(try bench.store.count(entity: node) == 4)
        #expect(try bench.store.count(entity: try bench.entity("Leaf").index) == 1)
        #expect(try bench.value("Leaf", 3, "weight") == .double(1.5))

        try bench.store.transaction { writer in
            try writer.update(try bench.row("Node", 5, version: 2, ["name": "changed"]))
            try writer.delete(entity: node, keys: [2, 77])
            try writer.delete(entity: try bench.entity("Leaf").index, keys: [3])
        }
        #expect(try bench.keys("Node") == [1, 5, 9])
        #expect(try bench.value("Node", 5, "name") == .string("changed"))
        #expect(try bench.store.read(root: node, keys: [5, 1, 2]).rows.map(\.version) == [2, 1])
        #expect(try bench.store.read(root: node, keys: [2, 77]).isEmpty)
    }

    @Test("Reading stops when the body returns false", arguments: StoreFactory.conforming)
    func readingStops(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(10)
        var seen = 0
        try bench.store.read(entities: try bench.entity("Node").family, batchSize: 4) { batch in
            seen += batch.rows.count
            return false
        }
        #expect(seen == 4)
    }

    @Test("Values of every type are read back unchanged, including limits", arguments: StoreFactory.conforming)
    func valuesOfEveryType(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        #expect(Set(ConformanceModel.values.map(\.name)) == Set(ConformanceModel.types.map(\.name)))
        var key: Int64 = 0
        for (name, values) in ConformanceModel.values {
            for value in values {
                key += 1
                let batch = try bench.row("Values", key, [name: value])
                if case .string(let text) = value, text.utf8.contains(0),
                    !bench.store.capabilities.contains(.nullCharacters)
                {
                    #expect(throws: GranaryError.self) { try bench.store.transaction { try $0.insert(batch) } }
                    key -= 1
                    continue
                }
                try bench.store.transaction { try $0.insert(batch) }
                let found = try bench.value("Values", key, name)
                #expect(found == value, "\(name)")
            }
            for (other, _) in ConformanceModel.types where other != name {
                #expect(try bench.value("Values", key, other) == nil)
            }
        }
    }

    @Test(
        "A Decimal of 38 digits is stored exactly, or refused if it would be rounded",
        arguments: StoreFactory.conforming)
    func exactDecimals(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let number = Decimal(string: "0.12345678901234567890123456789012345678") ?? 0
        let batch = try bench.row("Values", 1, ["decimal": .decimal(number)])
        if bench.store.keepsExactDecimals {
            try bench.store.transaction { try $0.insert(batch) }
            #expect(try bench.value("Values", 1, "decimal") == .decimal(number))
        } else {
            #expect(throws: GranaryError.self) { try bench.store.transaction { try $0.insert(batch) } }
            #expect(try bench.keys("Values") == [])
        }
    }

    // MARK: - Keys and transactions

    @Test("Keys are never reused", arguments: StoreFactory.conforming)
    func keys(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let (node, tag) = (try bench.entity("Node").index, try bench.entity("Tag").index)
        try bench.store.transaction { writer in
            #expect(try writer.reserveKeys(root: node, count: 3) == 1)
            #expect(try writer.reserveKeys(root: node, count: 1) == 4)
            #expect(try writer.reserveKeys(root: tag, count: 1) == 1)
            for key in 1...4 { try writer.insert(try bench.row("Node", Int64(key))) }
        }
        try bench.store.transaction { try $0.delete(entity: node, keys: [1, 2, 3, 4]) }
        try bench.store.transaction { writer in
            #expect(try writer.reserveKeys(root: node, count: 1) == 5)
            try writer.reserveKeys(root: node, through: 100)
            try writer.reserveKeys(root: node, through: 50)
            #expect(try writer.reserveKeys(root: node, count: 2) == 101)
        }
    }

    private struct Stop: Error {}

    @Test("A transaction that throws changes nothing", arguments: StoreFactory.conforming)
    func rollback(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(4)
        try bench.setLinks("members", 1, [3, 2])
        try bench.setLinks("likes", 1, [2])
        #expect(throws: (any Error).self) {
            try bench.store.transaction { writer in
                try writer.insert(try bench.row("Node", 5))
                try writer.update(try bench.row("Node", 2, version: 2, ["name": "x"]))
                try writer.delete(entity: try bench.entity("Node").index, keys: [4])
                try writer.setLinks(
                    try bench.relationship("likes"), owner: 1, ownerEntity: try bench.entity("Node").index, to: [])
                throw Stop()
            }
        }
        #expect(try bench.keys("Node") == [1, 2, 3, 4])
        #expect(try bench.value("Node", 2, "name") == nil)
        #expect(try bench.links("members", 1) == [3, 2])
        #expect(try bench.links("likes", 1) == [2])
    }

    // MARK: - Links

    @Test("A to-many follows the references of its inverse", arguments: StoreFactory.conforming)
    func references(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let (node, leaf) = (try bench.entity("Node").index, try bench.entity("Leaf").index)
        try bench.store.transaction { writer in
            // The parent is inserted later.
            try writer.insert(try bench.row("Node", 1, references: ["parent": ("Leaf", 3)]))
            try writer.insert(try bench.row("Leaf", 2, references: ["parent": ("Leaf", 3), "pointer": ("Leaf", 2)]))
            try writer.insert(try bench.row("Leaf", 3))
        }
        #expect(try bench.links("children", 3) == [1, 2])
        #expect(try bench.reference("pointer", of: 2) == 2)
        let batch = try bench.store.read(root: node, keys: [1])
        let slot = try bench.relationship("parent").slot
        #expect(batch[0, slot] == .reference(key: 3, entity: Int32(leaf)))
        var entities: [Int] = []
        try bench.store.readLinks(of: try bench.relationship("children"), owners: nil) { entities.append($0.entity) }
        #expect(entities == [node, leaf])

        try bench.store.transaction { writer in
            try writer.setReference(try bench.relationship("parent"), owner: 2, entity: node, destination: 1)
            try writer.update(try bench.row("Node", 1, version: 2))
        }
        #expect(try bench.links("children", 3) == [])
        #expect(try bench.links("children", 1) == [2])
        #expect(try bench.store.read(root: node, keys: [2]).rows.map(\.version) == [1])
        try bench.store.transaction { try $0.delete(entity: leaf, keys: [2]) }
        #expect(try bench.links("children", 1) == [])
    }

    @Test("The links of an object are replaced, with and without an inverse", arguments: StoreFactory.conforming)
    func linksAreReplaced(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(5)
        try bench.setLinks("children", 1, [3, 2])
        #expect(try bench.links("children", 1) == [2, 3])
        #expect(try bench.reference("parent", of: 3) == 1)
        try bench.setLinks("children", 4, [3, 5])
        #expect(try bench.links("children", 1) == [2])
        try bench.setLinks("children", 4, [5])
        #expect(try bench.reference("parent", of: 3) == nil)

        try bench.setLinks("members", 1, [4, 2, 3])
        #expect(try bench.links("members", 1) == [4, 2, 3])
        try bench.setLinks("members", 1, [3, 4])
        #expect(try bench.links("members", 1) == [3, 4])
        #expect(try bench.reference("team", of: 2) == nil)

        try bench.setLinks("likes", 1, [2, 3])
        try bench.setLinks("likes", 4, [3])
        #expect(try bench.links("likedBy", 3) == [1, 4])
        try bench.setLinks("likedBy", 3, [4, 5])
        #expect(try bench.links("likes", 1) == [2])
        #expect(try bench.links("likes", 5) == [3])

        try bench.setLinks("friends", 1, [2, 1, 3])
        #expect(try bench.links("friends", 1) == [1, 2, 3])
        #expect(try bench.links("friends", 2) == [1])
        try bench.setLinks("friends", 2, [5])
        #expect(try bench.links("friends", 1) == [1, 3])
        #expect(try bench.links("friends", 5) == [2])
    }

    @Test("Both ends of a many-to-many may have an order", arguments: StoreFactory.conforming)
    func bothSidesOrdered(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(5)
        try bench.setLinks("reviewers", 1, [4, 3])
        try bench.setLinks("reviewers", 2, [3, 4, 5])
        try bench.setLinks("reviews", 3, [2, 1])
        try bench.setLinks("reviews", 4, [1, 2])
        #expect(try bench.links("reviews", 3) == [2, 1])
        #expect(try bench.links("reviews", 4) == [1, 2])
        #expect(try bench.links("reviewers", 1) == [4, 3])
        #expect(try bench.links("reviewers", 2) == [3, 4, 5])
        try bench.setLinks("reviewers", 2, [5, 3])
        #expect(try bench.links("reviews", 3) == [2, 1])
        #expect(try bench.links("reviews", 4) == [1])
        try bench.setLinks("ranks", 1, [5, 2])
        #expect(try bench.links("ranks", 1) == [5, 2])
        #expect(try bench.links("rankedBy", 5) == [1])
    }

    @Test("An object has one owner in a relationship without an inverse", arguments: StoreFactory.conforming)
    func linksWithoutInverse(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(2)
        try bench.store.transaction { writer in
            for key in 1...3 { try writer.insert(try bench.row("Tag", Int64(key))) }
        }
        try bench.setLinks("tags", 1, [1, 2])
        try bench.setLinks("tags", 2, [2, 3])
        #expect(try bench.links("tags", 1) == [1])
        #expect(try bench.links("tags", 2) == [2, 3])
        try bench.setLinks("tags", 2, [3])
        #expect(try bench.links("tags", 1) == [1])
        try bench.store.transaction { try $0.delete(entity: try bench.entity("Tag").index, keys: [3]) }
        #expect(try bench.links("tags", 2) == [])
        // The members of a deleted owner have no owner.
        try bench.store.transaction { try $0.delete(entity: try bench.entity("Node").index, keys: [1]) }
        var all: [Link] = []
        try bench.store.readLinks(of: try bench.relationship("tags"), owners: nil) { all.append($0) }
        #expect(all == [])
    }

    @Test("Deleting an object removes its links of every many-to-many", arguments: StoreFactory.conforming)
    func deletingRemovesLinks(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(3)
        for name in ["likes", "reviewers", "ranks", "friends"] {
            try bench.setLinks(name, 1, [2, 3])
            try bench.setLinks(name, 2, [1])
        }
        try bench.store.transaction { try $0.delete(entity: try bench.entity("Node").index, keys: [1]) }
        for name in ["likes", "likedBy", "reviewers", "reviews", "ranks", "rankedBy", "friends"] {
            var all: [Link] = []
            try bench.store.readLinks(of: try bench.relationship(name), owners: nil) { all.append($0) }
            #expect(all == [], "\(name)")
        }
    }

    @Test("Links of all owners are sorted by owner, then in list order", arguments: StoreFactory.conforming)
    func linksOfAllOwners(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(6)
        try bench.setLinks("members", 6, [5, 1])
        try bench.setLinks("members", 2, [4, 3])
        var found: [[Int64]] = []
        try bench.store.readLinks(of: try bench.relationship("members"), owners: nil) {
            found.append([$0.owner, $0.destination])
        }
        #expect(found == [[2, 4], [2, 3], [6, 5], [6, 1]])
    }

    @Test("Members without an order come last, sorted by key", arguments: StoreFactory.conforming)
    func completedOrder(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        try bench.insertNodes(6)
        try bench.setLinks("members", 1, [6, 3])
        let node = try bench.entity("Node").index
        try bench.store.transaction { writer in
            for key in [5, 2, 4] {
                try writer.setReference(
                    try bench.relationship("team"), owner: Int64(key), entity: node, destination: 1)
            }
            try writer.completeOrder()
        }
        #expect(try bench.links("members", 1) == [6, 3, 2, 4, 5])
    }

    // MARK: - Uniqueness

    @Test("Objects are found by their unique values; NULL conflicts with nothing", arguments: StoreFactory.conforming)
    func uniqueValues(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let account = try bench.entity("Account")
        try bench.store.transaction { writer in
            try writer.insert(try bench.row("Bank", 1))
            try writer.insert(try bench.row("Bank", 2))
            let bank = ["bank": ("Bank", Int64(1))]
            try writer.insert(try bench.row("Account", 1, ["email": "a@b", "first": "Ann"]))
            try writer.insert(
                try bench.row("Savings", 2, ["first": "Ann", "last": "Lee", "number": 7], references: bank))
        }
        func matches(_ constraint: Int, _ row: RowBatch) throws -> [Int64] {
            try bench.store.keys(matching: account.uniquenessConstraints[constraint], in: row, row: 0)
        }
        #expect(try matches(0, try bench.row("Account", 0, ["email": "a@b"])) == [1])
        #expect(try matches(0, try bench.row("Savings", 0, ["email": "a@b"])) == [1])
        #expect(try matches(0, try bench.row("Account", 0, ["email": "A@b"])) == [])
        #expect(try matches(0, try bench.row("Account", 0)) == [])
        #expect(try matches(1, try bench.row("Account", 0, ["first": "Ann"])) == [])
        #expect(try matches(1, try bench.row("Account", 0, ["first": "Ann", "last": "Lee"])) == [2])
        #expect(
            try matches(2, try bench.row("Account", 0, ["number": 7], references: ["bank": ("Bank", 1)])) == [2])
        #expect(
            try matches(2, try bench.row("Account", 0, ["number": 7], references: ["bank": ("Bank", 2)])) == [])
        #expect(throws: (any Error).self) {
            try bench.store.transaction { try $0.insert(try bench.row("Savings", 3, ["email": "a@b"])) }
        }
        #expect(try bench.keys("Account") == [1, 2])
        try bench.store.transaction { writer in
            try writer.delete(entity: account.index, keys: [1])
            try writer.insert(try bench.row("Savings", 3, ["email": "a@b"]))
            try writer.update(try bench.row("Savings", 3, version: 2, ["email": "c@d"]))
        }
        #expect(try matches(0, try bench.row("Account", 0, ["email": "a@b"])) == [])
        #expect(try matches(0, try bench.row("Account", 0, ["email": "c@d"])) == [3])
    }

    // MARK: - Capabilities

    @Test("A store has the capabilities that it states, and refuses the others", arguments: StoreFactory.conforming)
    func capabilities(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        let (store, states) = (bench.store, bench.store.capabilities)
        func succeeds(_ body: () throws -> Void) -> Bool { (try? body()) != nil }

        #expect(
            succeeds { try store.setUserMetadata([PropertyListEntry("own", .integer(7))]) }
                == states.contains(.userMetadata))
        #expect((store.metadata["own"]?.integer == 7) == states.contains(.userMetadata))
        #expect(
            succeeds { try store.transaction(recording: "run-1") { _ in } } == states.contains(.revertibleRuns))
        if !states.contains(.history) { #expect(try store.lastHistoryTransaction() == nil) }
        if !states.contains(.pageLoading) {
            #expect(!succeeds { try store.transaction { try $0.chooseLoader(.pages) } })
        }
    }

    @Test("A transaction ends as its body says", arguments: StoreFactory.conforming)
    func endings(_ factory: StoreFactory) throws {
        let bench = try StoreBench(factory)
        func insert(_ key: Int64, _ end: (Int) -> TransactionEnd<Int>) throws -> Int {
            try bench.store.transaction(ending: { writer in
                try writer.insert(try bench.row("Node", key))
                return end(Int(key))
            })
        }
        #expect(try insert(1) { .rollBack($0) } == 1)
        #expect(try bench.keys("Node") == [])
        #expect(try insert(2) { .commit($0) } == 2)
        #expect(try bench.keys("Node") == [2])
        let error = #expect(throws: GranaryError.self) {
            try bench.store.transaction(ending: { writer -> TransactionEnd<Void> in
                try writer.insert(try bench.row("Node", 3))
                throw GranaryError(.refused, "own error")
            })
        }
        #expect(error?.message == "own error")
        #expect(try bench.keys("Node") == [2])
    }
}

extension String {
    fileprivate var value: AttributeValue { .string(self) }
}
