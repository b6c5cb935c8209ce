#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Changes that are sent together have the result of changes in an in-memory store, one after the other.
        @Suite struct ChangeTwinTests {
            @Test func randomChangesHaveTheSameResult() throws { try Self.compare(seeds: 1...2) }

            @Test func aRefusedUpdateAmongOthersIsNamed() throws {
                let bench = try StoreBench(.postgreSQLPublished)
                try bench.store.transaction { writer in
                    for key in 1...9 {
                        try writer.insert(try bench.row("Account", Int64(key), ["email": .string("\(key)@x")]))
                    }
                }
                var batch = RowBatch()
                for key in 1...9 {
                    // The fifth takes the value of the ninth.
                    let email = key == 5 ? "9@x" : "new\(key)@x"
                    let row = try bench.row("Account", Int64(key), version: 2, ["email": .string(email)])
                    batch.append(0, of: row, slotCount: row.cells.count)
                }
                try bench.store.transaction { writer in
                    let error = try #require(throws: GranaryError.self) { try writer.update(batch) }
                    #expect(error.diagnostics.first?.property == "email")
                    #expect(error.diagnostics.first?.code == .uniqueExists)
                    #expect(writer.writtenRows == 4)
                }
                #expect(try bench.value("Account", 4, "email") == "new4@x")
                #expect(try bench.value("Account", 5, "email") == "5@x")
            }

            @Test func aMissingObjectAmongOthersIsNamed() throws {
                let bench = try StoreBench(.postgreSQLPublished)
                try bench.insertNodes(5)
                var batch = RowBatch()
                for key in [1, 2, 99, 3] {
                    let row = try bench.row("Node", Int64(key), version: 2, ["name": "x"])
                    batch.append(0, of: row, slotCount: row.cells.count)
                }
                let relationship = try bench.relationship("parent")
                try bench.store.transaction { writer in
                    let error = try #require(throws: GranaryError.self) { try writer.update(batch) }
                    #expect(error.message.contains("99") && writer.writtenRows == 2)
                }
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { writer in
                        for owner in [1, 98, 2] as [Int64] {
                            try writer.setReference(
                                relationship, owner: owner, entity: relationship.owner, destination: 3)
                        }
                    }
                }
                #expect(error.message.contains("parent of p98"))
                #expect(try bench.reference("parent", of: 1) == nil)
            }

            static func compare(seeds: ClosedRange<UInt64>) throws {
                for seed in seeds {
                    let benches = [try StoreBench(.inMemory), try StoreBench(.postgreSQLPublished)]
                    for bench in benches {
                        var changes = RandomChanges(bench, seed: seed)
                        for _ in 0..<3 { try changes.run(60) }
                    }
                    let contents = try benches.map(RandomChanges.content)
                    let difference = contents[1].difference(from: contents[0])
                    if !difference.isEmpty { Issue.record("seed \(seed): \(difference.map { "\($0)" })") }
                    #expect(contents[0].count > 100)
                }
            }
        }

        @Suite struct ChangeTwinLongTests {
            @Test func randomChangesHaveTheSameResult() throws { try ChangeTwinTests.compare(seeds: 100...160) }
        }
    }

    /// Random changes of nodes, the same for each store.
    private struct RandomChanges {
        private static let lists = [
            "children", "members", "likes", "likedBy", "reviewers", "reviews", "ranks", "friends", "keeps",
        ]
        private let bench: StoreBench
        private var random: SeededGenerator
        private var isFilled = false

        init(_ bench: StoreBench, seed: UInt64) {
            self.bench = bench
            random = SeededGenerator(seed: seed)
        }

        private mutating func key() -> Int64 { Int64.random(in: 1...30, using: &random) }

        /// Makes changes in one transaction. Kinds of changes follow each other in runs, so that several are sent together.
        mutating func run(_ count: Int) throws {
            if !isFilled { try bench.insertNodes(30) }
            isFilled = true
            let node = try bench.entity("Node")
            try bench.store.transaction { writer in
                var kind = 0
                var list = try bench.relationship("likes")
                var reference = try bench.relationship("parent")
                for _ in 0..<count {
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        kind = Int.random(in: 0..<8, using: &random)
                        list = try bench.relationship(Self.lists.randomElement(using: &random) ?? "likes")
                        reference = try bench.relationship(
                            ["parent", "team", "pointer"].randomElement(using: &random) ?? "parent")
                    }
                    let owner = key()
                    switch kind {
                    case 0...3:
                        let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in key() }
                        try writer.setLinks(
                            list, owner: owner, ownerEntity: node.index,
                            to: members.map { Link(owner: owner, entity: node.index, destination: $0) })
                    case 4:
                        let target = Bool.random(using: &random) ? key() : nil
                        try writer.setReference(reference, owner: owner, entity: node.index, destination: target)
                    case 5:
                        try writer.raiseVersions(root: node.index, keys: Array(Set([owner, key()])))
                    case 6:
                        var rows = try bench.store.read(
                            root: node.index, keys: Array(Set([owner, key(), key()])).sorted())
                        for row in rows.rows.indices {
                            rows.rows[row].version += 1
                            let slot = try #require(node.attribute(named: "name")).slot
                            AttributeValue.string("v\(key())").withBorrowed { rows.set($0, row: row, slot: slot) }
                        }
                        try writer.update(rows)
                    default: try writer.completeOrder()
                    }
                }
            }
        }

        /// All that the store contains, as text.
        static func content(of bench: StoreBench) throws -> [String] {
            var found: [String] = []
            let node = try bench.entity("Node")
            try bench.store.read(entities: node.family, batchSize: 100) { batch in
                for row in batch.rows.indices {
                    let header = batch.rows[row]
                    let name = try batch.value(row: row, of: try #require(node.attribute(named: "name")))
                    found.append("\(header.key) \(header.version) \(name.map { "\($0)" } ?? "-")")
                    for relationship in node.relationships where !relationship.isToMany {
                        if case .reference(let key, _) = batch[row, relationship.slot] {
                            found.append("\(header.key).\(relationship.name) = \(key)")
                        }
                    }
                }
                return true
            }
            for relationship in node.relationships where relationship.isToMany {
                try bench.store.readLinks(of: relationship, owners: nil) {
                    found.append("\(relationship.name): \($0.owner) \($0.destination)")
                }
            }
            return found
        }
    }
#endif
