import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The history of transactions") struct HistoryProgramTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [HistoryBench.Step]
        let expected: [String]
        /// Whether a reference to no object remains, which a PostgreSQL store refuses.
        let breaksReference: Bool

        init(
            _ name: String, _ steps: [HistoryBench.Step], _ expected: [String], breaksReference: Bool = false
        ) {
            testDescription = name
            self.steps = steps
            self.expected = expected
            self.breaksReference = breaksReference
        }
    }

    /// The programs begin with six nodes: 2 is a child of 1, 2 and 3 are members of 1, and 1 likes 2 and has the tag 1.
    static let programs: [Program] = [
        Program("an insert", [.insert("Node", 7)], ["insert Node 7"]),
        Program("of a subentity", [.insert("Leaf", 7)], ["insert Leaf 7"]),
        Program(
            "insert, then changes", [.insert("Node", 7), .name(7, "x"), .refer("pointer", 7, 1)], ["insert Node 7"]),
        Program("insert into a list", [.insertChild(7, of: 1)], ["insert Node 7", "update Node 1: children"]),
        Program(
            "insert child before parent", [.insertChild(7, of: 8), .insert("Node", 8)],
            ["insert Node 7", "insert Node 8"]),
        Program(
            "a reference to nothing", [.refer("parent", 3, 99)], ["update Node 3: parent"],
            breaksReference: true),
        Program("insert and delete", [.insert("Node", 7), .name(7, "x"), .delete(7)], []),
        Program("insert, delete, insert", [.insert("Node", 7), .delete(7), .insert("Node", 7)], ["insert Node 7"]),
        Program("a value", [.name(1, "x")], ["update Node 1: name"]),
        Program("two values", [.name(1, "x"), .point(1, 3), .touch(1)], ["update Node 1: name,pointer"]),
        Program("a version only", [.touch(1)], ["update Node 1: "]),
        Program("delete", [.delete(4)], ["delete Node 4"]),
        Program("delete twice, and what is not there", [.delete(4), .delete(4), .delete(99)], ["delete Node 4"]),
        Program("update and delete", [.name(4, "x"), .delete(4)], ["delete Node 4"]),
        Program("delete and insert", [.delete(4), .insert("Node", 4)], ["update Node 4: everything"]),
        Program("delete a member", [.delete(2)], ["delete Node 2", "update Node 1: children,likes,members"]),
        Program(
            "delete an owner with its list", [.link("children", 1, []), .delete(1)],
            ["delete Node 1", "update Node 2: likedBy,parent"], breaksReference: true),
        Program(
            "delete an owner with its lists", [.link("children", 1, []), .link("members", 1, []), .delete(1)],
            ["delete Node 1", "update Node 2: likedBy,parent,team", "update Node 3: team"]),
        Program(
            "a reference", [.refer("parent", 2, 3)],
            ["update Node 1: children", "update Node 2: parent", "update Node 3: children"]),
        Program("the same reference", [.refer("parent", 2, 1)], []),
        Program(
            "one list", [.link("children", 1, [2, 3])], ["update Node 1: children", "update Node 3: parent"]),
        Program(
            "a member taken from another", [.link("children", 4, [2])],
            ["update Node 1: children", "update Node 2: parent", "update Node 4: children"]),
        Program("the same list", [.link("children", 1, [2]), .link("likes", 1, [2])], []),
        Program("another order", [.link("members", 1, [3, 2])], ["update Node 1: members"]),
        Program("the same order", [.link("members", 1, [2, 3])], []),
        Program(
            "many-to-many", [.link("likes", 1, [3])],
            ["update Node 1: likes", "update Node 2: likedBy", "update Node 3: likedBy"]),
        Program(
            "from the other side", [.link("likedBy", 4, [1, 4])],
            ["update Node 1: likes", "update Node 4: likedBy,likes"]),
        Program(
            "its own inverse", [.link("friends", 5, [6])], ["update Node 5: friends", "update Node 6: friends"]),
        Program("without an inverse", [.link("tags", 1, [])], ["update Node 1: tags"]),
        Program(
            "without an inverse, taken from another", [.link("tags", 4, [1])],
            ["update Node 1: tags", "update Node 4: tags"]),
        Program("nothing at all", [], []),
    ]

    @Test("Each object has one change", arguments: programs, StoreFactory.withHistory)
    func program(_ program: Program, _ factory: StoreFactory) throws {
        let bench = try HistoryBench(factory)
        let isRefused = program.breaksReference && bench.keepsReferences
        let nodes = (1...6).map { HistoryBench.Step.insert("Node", Int64($0)) }
        try bench.run(nodes + [.insert("Tag", 1)])
        try bench.run([
            .link("children", 1, [2]), .link("members", 1, [2, 3]), .link("likes", 1, [2]), .link("tags", 1, [1]),
        ])
        guard !isRefused else {
            #expect(throws: GranaryError.self) { try bench.run(program.steps) }
            #expect(try bench.backend.lastHistoryTransaction() == 2)
            return
        }
        try bench.run(program.steps)
        #expect(try bench.changes(after: 2) == program.expected)
        #expect(try bench.backend.lastHistoryTransaction() == (program.expected.isEmpty ? 2 : 3))
    }

    @Test("A failed transaction leaves no history, and its numbers are reused", arguments: StoreFactory.withHistory)
    func rollback(_ factory: StoreFactory) throws {
        struct Stop: Error {}
        let bench = try HistoryBench(factory)
        try bench.run([.insert("Node", 1)])
        #expect(throws: Stop.self) {
            try bench.backend.transaction { writer -> Void in
                try writer.insert(try bench.bench.row("Node", 2))
                throw Stop()
            }
        }
        #expect(try bench.backend.lastHistoryTransaction() == 1)
        try bench.run([.insert("Node", 3)])
        #expect(try bench.changes() == ["insert Node 1", "insert Node 3"])
        #expect(try bench.backend.historyTransactions(after: 1).map(\.transactionNumber) == [2])
        guard bench.backend is SQLiteStore else { return }
        #expect(try bench.store.connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001") == 2)
        #expect(try bench.store.connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002") == 2)
    }

    // MARK: - Generated programs

    private static let toOnes = ["mate", "next", "previous", "parent", "team", "pointer"]
    private static let lists = [
        "children", "members", "likes", "likedBy", "reviewers", "reviews", "ranks", "rankedBy", "friends", "keeps",
    ]
    /// In Core Data, deleting a member of a relationship without an inverse does not change the owner.
    private static let silentLists = ["keeps", "tags"]

    @Test("Exactly the changed properties are recorded", arguments: [1], StoreFactory.withHistory)
    func generated(_ seed: UInt64, _ factory: StoreFactory) throws {
        // Each step reads all lists of all nodes, which takes a server longer.
        try run(seed, factory, steps: factory.name == StoreFactory.sqliteWithHistory.name ? 118 : 25)
    }

    func run(_ seed: UInt64, _ factory: StoreFactory, steps: Int) throws {
        let bench = try HistoryBench(factory)
        var generator = SeededGenerator(seed: seed)
        var keys: [Int64] = Array(1...6)
        try bench.run(keys.map { HistoryBench.Step.insert("Node", $0) })
        var before = try snapshot(bench, keys)
        for number in 2..<2 + steps {
            let present = keys
            let step = Self.step(&keys, Int64(number + 100), &generator)
            let last = try bench.backend.lastHistoryTransaction() ?? 0
            do { try bench.run([step]) } catch let error as GranaryError where bench.keepsReferences {
                // The deletion of an object to which others refer.
                #expect(error.code == .refused && error.diagnostics.map(\.code) == [.relationshipNotFound])
                keys = present
                continue
            }
            let after = try snapshot(bench, keys)
            var expected: [String] = []
            for key in Set(before.keys).union(after.keys) {
                switch (before[key], after[key]) {
                case (let old?, let new?):
                    var names = new.keys.filter { old[$0] != new[$0] }.sorted()
                    if case .delete = step { names.removeAll { Self.silentLists.contains($0) } }
                    if !names.isEmpty {
                        expected.append("update Node \(key): " + names.joined(separator: ","))
                    }
                case (nil, _?): expected.append("insert Node \(key)")
                case (_?, nil): expected.append("delete Node \(key)")
                case (nil, nil): break
                }
            }
            #expect(try bench.changes(after: last) == expected.sorted(), "\(step)")
            before = after
        }
    }

    private static func step(
        _ keys: inout [Int64], _ fresh: Int64, _ generator: inout SeededGenerator
    ) -> HistoryBench.Step {
        let one = keys.randomElement(using: &generator) ?? 1
        let other = keys.randomElement(using: &generator) ?? 1
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
            keys.append(fresh)
            return .insert("Node", fresh)
        case 1 where keys.count > 4:
            keys.removeAll { $0 == one }
            return .delete(one)
        case 2: return .name(one, "n\(fresh)")
        case 3, 4, 5: return .refer(toOnes.randomElement(using: &generator) ?? "mate", one, other)
        default:
            let count = Int.random(in: 0...4, using: &generator)
            let members = Array(keys.shuffled(using: &generator).prefix(count))
            return .link(lists.randomElement(using: &generator) ?? "likes", one, members)
        }
    }

    /// All values of all nodes as texts.
    private func snapshot(_ bench: HistoryBench, _ keys: [Int64]) throws -> [Int64: [String: String]] {
        var found: [Int64: [String: String]] = [:]
        for key in keys {
            let name = try bench.bench.value("Node", key, "name")
            var values = ["name": String(describing: name)]
            for name in Self.toOnes {
                let target = try bench.bench.reference(name, of: key) ?? 0
                values[name] = "\(target)"
            }
            for name in Self.lists {
                let members = try bench.bench.links(name, key)
                values[name] = "\(members)"
            }
            found[key] = values
        }
        return found
    }
}

@Suite struct HistoryProgramLongTests {
    @Test("Exactly the changed properties are recorded", arguments: [1, 2, 3] as [UInt64], StoreFactory.withHistory)
    func generated(_ seed: UInt64, _ factory: StoreFactory) throws {
        try HistoryProgramTests().run(seed, factory, steps: 118)
    }
}
