import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Relationships that two parties have changed: both ends are right afterwards, in memory and in the store.
@Suite("Relationships in conflict") struct RelationshipConflictTests {
    static let policies: [MergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    /// The first of some nodes is changed by both; here the second is linked to it, there the third.
    private struct Bench {
        let parties: Rivalry.Parties
        let context: ManagedObjectContext
        let nodes: [ManagedObject]

        init(_ rivalry: Rivalry, _ change: ([ManagedObject], _ member: Int) throws -> Void) throws {
            parties = try rivalry.make(ConformanceModel.model)
            let writer = parties.ours.makeContext()
            let saved = try ["a", "b", "c", "d"].map { name in
                let node = try writer.insert(into: "Node")
                try node.setValue(.string(name), forKey: "name")
                return node
            }
            // What both find: d is linked in every way.
            for key in ["likes", "ranks", "children"] { try saved[0].add(saved[3], forKey: key) }
            try writer.save()
            context = parties.ours.makeContext()
            nodes = try context.fetchAll("Node")
            // Everything is read before the others come: also what the store gives for all at once.
            for node in nodes {
                for key in ["likes", "likedBy", "ranks", "rankedBy", "children"] { _ = try node.objects(forKey: key) }
            }
            let other = parties.theirs.makeContext()
            try change(try other.objects(with: saved.map(\.objectID)), 2)
            try other.save()
            try change(nodes, 1)
        }

        func save(_ policy: MergePolicy) throws {
            context.mergePolicy = policy
            try context.save()
        }

        /// The names of the members, in memory and in the store, which have to be the same.
        func members(_ key: String, of place: Int = 0) throws -> String {
            let here = try names(nodes[place].objects(forKey: key))
            let fresh = parties.theirs.makeContext()
            let there = try names(
                try #require(try fresh.lookUpObject(with: nodes[place].objectID)).objects(forKey: key))
            return here == there ? here : "\(here) here, \(there) in the store"
        }

        private func names(_ objects: [ManagedObject]) throws -> String {
            try objects.map { try $0.string(forKey: "name") ?? "-" }.joined()
        }

        /// The other end, as the names of those that lead to the member.
        func leads(_ key: String) throws -> [String] { try [1, 2, 3].map { try members(key, of: $0) } }

        /// The same for an inverse that is to-one.
        func parents() throws -> [String] {
            let fresh = parties.theirs.makeContext()
            return try [1, 2, 3].map { place in
                let here = try nodes[place].object(forKey: "parent")?.string(forKey: "name") ?? "-"
                let stored = try #require(try fresh.lookUpObject(with: nodes[place].objectID))
                let there = try stored.object(forKey: "parent")?.string(forKey: "name") ?? "-"
                return here == there ? here : "\(here) here, \(there) in the store"
            }
        }
    }

    @Test("A to-one that both have moved", arguments: Rivalry.kinds, policies)
    func toOne(_ rivalry: Rivalry, _ policy: MergePolicy) throws {
        // The child d leaves a: here for b, there for c.
        let bench = try Bench(rivalry) { nodes, member in try nodes[3].setObject(nodes[member], forKey: "parent") }
        try bench.save(policy)
        let isTheirs = policy == .mergeByPropertyStoreTrump || policy == .rollback
        #expect(try bench.parents() == ["-", "-", isTheirs ? "c" : "b"])
        // A context that was not told what others did shows it once it reads again.
        bench.context.stalenessInterval = Duration.zero
        try bench.context.refreshAllObjects()
        #expect(try bench.members("children") == "")
        #expect(try bench.leads("children") == (isTheirs ? ["", "d", ""] : ["d", "", ""]))
        #expect(try bench.context.validate().isEmpty && !bench.context.hasChanges)
    }

    @Test("Both ends of a to-one that was given up agree at once", arguments: Rivalry.kinds)
    func toOneAtOnce(_ rivalry: Rivalry) throws {
        for policy in Self.policies {
            let bench = try Bench(rivalry) { nodes, member in try nodes[3].setObject(nodes[member], forKey: "parent") }
            try bench.save(policy)
            let parent = try bench.nodes[3].object(forKey: "parent")
            for node in bench.nodes.prefix(3) where node !== bench.nodes[2] {
                #expect(try node.objects(forKey: "children").contains(bench.nodes[3]) == (parent === node), "\(policy)")
            }
        }
    }

    @Test("Members that both have added to a one-to-many", arguments: Rivalry.kinds)
    func oneToMany(_ rivalry: Rivalry) throws {
        for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            let bench = try Bench(rivalry) { nodes, member in try nodes[0].add(nodes[member], forKey: "children") }
            try bench.save(policy)
            #expect(try bench.members("children") == "bcd", "\(policy)")
        }
        let bench = try Bench(rivalry) { nodes, member in try nodes[0].add(nodes[member], forKey: "children") }
        try bench.save(.rollback)
        #expect(try bench.members("children") == "cd")
    }

    @Test("Members that both have added to a many-to-many", arguments: Rivalry.kinds, policies)
    func manyToMany(_ rivalry: Rivalry, _ policy: MergePolicy) throws {
        let bench = try Bench(rivalry) { nodes, member in try nodes[0].add(nodes[member], forKey: "likes") }
        try bench.save(policy)
        switch policy {
        case .overwrite: #expect(try bench.members("likes") == "bd")
        case .rollback: #expect(try bench.members("likes") == "cd")
        default: #expect(try bench.members("likes") == "bcd")
        }
    }

    @Test("Members that both have added to an ordered relationship", arguments: Rivalry.kinds, policies)
    func ordered(_ rivalry: Rivalry, _ policy: MergePolicy) throws {
        let bench = try Bench(rivalry) { nodes, member in try nodes[0].add(nodes[member], forKey: "ranks") }
        try bench.save(policy)
        switch policy {
        case .overwrite: #expect(try bench.members("ranks") == "db")
        case .rollback: #expect(try bench.members("ranks") == "dc")
        default: #expect(try bench.members("ranks") == "dbc")
        }
    }

    @Test("A member that one side has added and the other's removals", arguments: Rivalry.kinds)
    func addedAndRemoved(_ rivalry: Rivalry) throws {
        for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            for key in ["likes", "ranks", "children"] {
                let bench = try Bench(rivalry) { nodes, member in
                    if member == 1 {
                        try nodes[0].add(nodes[1], forKey: key)
                    } else {
                        try nodes[0].remove(nodes[3], forKey: key)
                    }
                }
                try bench.save(policy)
                #expect(try bench.members(key) == "b", "\(policy), \(key)")
            }
        }
    }

    @Test("Members that both have removed are gone", arguments: Rivalry.kinds)
    func removedByBoth(_ rivalry: Rivalry) throws {
        for policy in Self.policies {
            for key in ["likes", "ranks", "children"] {
                let bench = try Bench(rivalry) { nodes, _ in try nodes[0].remove(nodes[3], forKey: key) }
                try bench.save(policy)
                #expect(try bench.members(key) == "", "\(policy), \(key)")
            }
        }
    }

    @Test("The error names the to-one that differs", arguments: Rivalry.kinds)
    func namedRelationship(_ rivalry: Rivalry) throws {
        let bench = try Bench(rivalry) { nodes, member in try nodes[3].setObject(nodes[member], forKey: "parent") }
        let error = #expect(throws: GranaryError.self) { try bench.context.save() }
        let found = try #require(error?.underlying as? SaveConflicts).mergeConflicts
        let conflict = try #require(found.first { $0.objectID == bench.nodes[3].objectID })
        let property = try #require(conflict.properties.first)
        #expect(conflict.properties.count == 1 && property.name == "parent")
        #expect(property.objectValue == .object(bench.nodes[1].objectID))
        #expect(property.storeValue == PropertyValue.object(bench.nodes[2].objectID))
        #expect(property.snapshotValue == .object(bench.nodes[0].objectID))
        // a has lost its child on both sides, too.
        #expect(Set(found.map(\.objectID)) == [bench.nodes[0].objectID, bench.nodes[3].objectID])
    }

    @Test("A member that others have moved stays where they put it, though nothing but its owner says so")
    func movedElsewhere() throws {
        let container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
        let writer = container.makeContext()
        let saved = try (0..<4).map { _ in try writer.insert(into: "Node") }
        try saved[0].add(saved[3], forKey: "keeps")
        try writer.save()
        let context = container.makeContext()
        let first = try #require(try context.lookUpObject(with: saved[0].objectID))
        #expect(try first.objects(forKey: "keeps").map(\.objectID) == [saved[3].objectID])
        try saved[2].add(saved[3], forKey: "keeps")
        try writer.save()
        // What was read of the first one counts no more than what is read now.
        let third = try #require(try context.lookUpObject(with: saved[2].objectID))
        #expect(try third.objects(forKey: "keeps").map(\.objectID) == [saved[3].objectID])
        try third.add(try #require(try context.lookUpObject(with: saved[1].objectID)), forKey: "keeps")
        try context.save()
        let fresh = container.makeContext()
        let stored = try fresh.lookUpObject(with: saved[2].objectID)?.objects(forKey: "keeps")
        #expect(stored?.map(\.objectID) == [saved[1].objectID, saved[3].objectID])
    }
}
