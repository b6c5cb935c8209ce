import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Every policy with every kind of conflict over an object's values.
@Suite("Merge policies") struct MergePolicyTests {
    /// What was done there and here to an object with the name "base" and the salary 10.
    enum Conflict: Sendable, CaseIterable {
        /// The name by both.
        case sameProperty
        /// The name there, the salary here.
        case differentProperties
        /// The name by both and the salary here.
        case both
        /// Deleted there, the name changed here.
        case deletedThere
        /// The name changed there, deleted here.
        case deletedHere
        case deletedTwice
    }

    struct Values: Sendable, Equatable {
        var name = "base"
        var salary: Int64 = 10
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let policy: MergePolicy
        let conflict: Conflict
        /// Nil where the object is gone.
        let result: Values?

        var testDescription: String { "\(policy), \(conflict)" }
    }

    static let cases: [Case] = [
        Case(policy: .mergeByPropertyStoreTrump, conflict: .sameProperty, result: Values(name: "theirs")),
        Case(
            policy: .mergeByPropertyStoreTrump, conflict: .differentProperties,
            result: Values(name: "theirs", salary: 99)),
        Case(policy: .mergeByPropertyStoreTrump, conflict: .both, result: Values(name: "theirs", salary: 99)),
        Case(policy: .mergeByPropertyStoreTrump, conflict: .deletedThere, result: nil),
        Case(policy: .mergeByPropertyStoreTrump, conflict: .deletedHere, result: nil),
        Case(policy: .mergeByPropertyStoreTrump, conflict: .deletedTwice, result: nil),

        Case(policy: .mergeByPropertyObjectTrump, conflict: .sameProperty, result: Values(name: "ours")),
        Case(
            policy: .mergeByPropertyObjectTrump, conflict: .differentProperties,
            result: Values(name: "theirs", salary: 99)),
        Case(policy: .mergeByPropertyObjectTrump, conflict: .both, result: Values(name: "ours", salary: 99)),
        Case(policy: .mergeByPropertyObjectTrump, conflict: .deletedThere, result: Values(name: "ours")),
        Case(policy: .mergeByPropertyObjectTrump, conflict: .deletedHere, result: nil),
        Case(policy: .mergeByPropertyObjectTrump, conflict: .deletedTwice, result: nil),

        Case(policy: .overwrite, conflict: .sameProperty, result: Values(name: "ours")),
        Case(policy: .overwrite, conflict: .differentProperties, result: Values(salary: 99)),
        Case(policy: .overwrite, conflict: .both, result: Values(name: "ours", salary: 99)),
        Case(policy: .overwrite, conflict: .deletedThere, result: Values(name: "ours")),
        Case(policy: .overwrite, conflict: .deletedHere, result: nil),
        Case(policy: .overwrite, conflict: .deletedTwice, result: nil),

        Case(policy: .rollback, conflict: .sameProperty, result: Values(name: "theirs")),
        Case(policy: .rollback, conflict: .differentProperties, result: Values(name: "theirs")),
        Case(policy: .rollback, conflict: .both, result: Values(name: "theirs")),
        Case(policy: .rollback, conflict: .deletedThere, result: nil),
        Case(policy: .rollback, conflict: .deletedHere, result: nil),
        Case(policy: .rollback, conflict: .deletedTwice, result: nil),
    ]

    /// The parties after the conflict has come about, before the save here. Beside the object in conflict there is a
    /// new one and a changed one that nobody else cares for.
    struct Bench {
        let parties: Rivalry.Parties
        let context: ManagedObjectContext
        let object: ManagedObject
        let bystander: ManagedObject
        let new: ManagedObject
        let id: ManagedObjectID

        init(_ rivalry: Rivalry, _ conflict: Conflict) throws {
            parties = try rivalry.make(PeopleModel.model)
            let writer = parties.ours.makeContext()
            _ = try writer.person("base", salary: 10)
            _ = try writer.person("bystander")
            try writer.save()
            context = parties.ours.makeContext()
            let people = try context.fetchAll("Person")
            object = people[0]
            bystander = people[1]
            try context.fulfill(people)
            id = object.objectID
            new = try context.person("new")
            try bystander.setValue(5, forKey: "salary")
            switch conflict {
            case .deletedThere, .deletedTwice: try parties.theirs.delete(id)
            default: try parties.theirs.change(id, "name", to: "theirs")
            }
            switch conflict {
            case .deletedHere, .deletedTwice: try context.delete(object)
            case .sameProperty, .deletedThere: try object.setValue("ours", forKey: "name")
            case .differentProperties: try object.setValue(99, forKey: "salary")
            case .both:
                try object.setValue("ours", forKey: "name")
                try object.setValue(99, forKey: "salary")
            }
        }

        /// What the store has for the object, read by the others.
        func stored() throws -> Values? { try values(of: try parties.theirs.makeContext().lookUpObject(with: id)) }

        func values(of object: ManagedObject?) throws -> Values? {
            guard let object, let name = try object.string(forKey: "name") else { return nil }
            return Values(name: name, salary: try object.integer(forKey: "salary") ?? 0)
        }
    }

    @Test("The policy decides what is in memory and in the store", arguments: Rivalry.kinds, cases)
    func policies(_ rivalry: Rivalry, _ test: Case) throws {
        let bench = try Bench(rivalry, test.conflict)
        let (context, object) = (bench.context, bench.object)
        context.mergePolicy = test.policy
        try context.save()
        #expect(!context.hasChanges)
        #expect(try bench.stored() == test.result)
        if test.result == nil {
            #expect(object.managedObjectContext == nil && context.registeredObject(for: bench.id) == nil)
        } else {
            #expect(try bench.values(of: object) == test.result)
            #expect(!object.hasChanges && object.managedObjectContext === context)
        }
        // The others of the save are saved.
        #expect(!bench.new.objectID.isTemporaryID)
        #expect(try bench.parties.theirs.stored(bench.bystander.objectID, "salary") == 5)
        // Nothing is left of the conflict: the next change is saved under any policy.
        guard test.result != nil else { return }
        context.mergePolicy = .error
        try object.setValue("again", forKey: "name")
        try context.save()
        #expect(try bench.stored()?.name == "again")
    }

    @Test(
        "Under the policy error the save is refused, nothing changes, and the conflict is told",
        arguments: Rivalry.kinds)
    func refusals(_ rivalry: Rivalry) throws {
        for conflict in Conflict.allCases {
            let bench = try Bench(rivalry, conflict)
            let before = try bench.stored()
            let error = #expect(throws: GranaryError.self, "\(conflict)") { try bench.context.save() }
            #expect(error?.code == .refused && error?.diagnostics.map(\.code) == [.objectConflict], "\(conflict)")
            #expect(error?.diagnostics.first?.coreDataCode == 133_020)
            #expect(try bench.stored() == before, "\(conflict)")
            #expect(bench.new.objectID.isTemporaryID && bench.context.insertedObjects == [bench.new])
            #expect(bench.object.isUpdated || bench.object.isDeleted, "\(conflict)")
            let conflicts = try #require(error?.underlying as? SaveConflicts)
            #expect(conflicts.constraintConflicts.isEmpty && conflicts.mergeConflicts.count == 1)
            try check(try #require(conflicts.mergeConflicts.first), bench, conflict)
            // Whoever cannot decide can always go back.
            bench.context.rollback()
            try bench.context.save()
        }
    }

    private func check(_ told: MergeConflict, _ bench: Bench, _ conflict: Conflict) throws {
        let isGone = conflict == .deletedThere || conflict == .deletedTwice
        #expect(told.objectID == bench.id && told.oldVersion == 1)
        #expect(told.newVersion == (isGone ? nil : 2), "\(conflict)")
        #expect(told.isDeleted == (conflict == .deletedHere || conflict == .deletedTwice), "\(conflict)")
        var expected: [String] = []
        switch conflict {
        case .sameProperty: expected = ["name ours theirs base"]
        case .differentProperties: expected = ["name base theirs base", "salary 99 10 10"]
        case .both: expected = ["name ours theirs base", "salary 99 10 10"]
        case .deletedThere: expected = ["name ours gone base"]
        case .deletedHere: expected = ["name base theirs base"]
        case .deletedTwice: break
        }
        let texts = told.properties.map { property in
            let store = property.storeValue.map { text($0) } ?? "gone"
            return "\(property.name) \(text(property.objectValue)) \(store) \(text(property.snapshotValue))"
        }
        #expect(texts == expected, "\(conflict)")
    }

    private func text(_ value: PropertyValue) -> String {
        switch value {
        case .attribute(.string(let text)?): text
        case .attribute(.integer(let number)?): "\(number)"
        default: "\(value)"
        }
    }

    @Test("A merged object must keep the model's rules", arguments: Rivalry.kinds)
    func rulesAfterMerging(_ rivalry: Rivalry) throws {
        // Two members are the limit. There is one; each side adds another.
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Team", [.attribute("name", .string), .toMany("members", "Player", inverse: "teams", .count(0, 2))]),
            EntityDescription("Player", [.attribute("name", .string), .toMany("teams", "Team", inverse: "members")]),
        ])
        let parties = try rivalry.make(model)
        let writer = parties.ours.makeContext()
        let saved = try ["Team", "Player", "Player", "Player"].map { try writer.insert(into: $0) }
        try saved[0].add(saved[1], forKey: "members")
        try writer.save()
        let context = parties.ours.makeContext()
        let objects = try context.objects(with: saved.map(\.objectID))
        #expect(try objects[0].objects(forKey: "members") == [objects[1]])
        let other = parties.theirs.makeContext()
        let theirs = try other.objects(with: saved.map(\.objectID))
        try theirs[0].add(theirs[2], forKey: "members")
        try other.save()
        try objects[0].add(objects[3], forKey: "members")
        context.mergePolicy = .mergeByPropertyObjectTrump
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.diagnostics.map(\.coreDataCode) == [1590])
        let fresh = parties.theirs.makeContext()
        let members = try fresh.lookUpObject(with: saved[0].objectID)?.objects(forKey: "members").map(\.objectID)
        #expect(members == [saved[1].objectID, saved[2].objectID])
    }
}
