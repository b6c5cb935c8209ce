import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Every policy with every kind of conflict over unique values.
@Suite("Merge policies, unique values") struct UniquenessPolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let policy: MergePolicy
        /// `email first last` of the object that stays.
        let result: String

        var testDescription: String { "\(policy)" }
    }

    private func account(
        _ context: ManagedObjectContext, _ email: AttributeValue, first: AttributeValue? = nil,
        last: AttributeValue? = nil
    ) throws -> ManagedObject {
        let account = try context.insert(into: "Account")
        try account.setValue(email, forKey: "email")
        try account.setValue(first, forKey: "first")
        try account.setValue(last, forKey: "last")
        return account
    }

    /// What the store has: `email first last`, by key.
    private func stored(_ container: PersistentContainer) throws -> [String] {
        try container.makeContext().fetchAll("Account").map { account in
            try ["email", "first", "last"].map { try account.string(forKey: $0) ?? "-" }.joined(separator: " ")
        }
    }

    @Test(
        "A new object with a stored unique value: the two objects become one", arguments: StoreFactory.kinds,
        [
            Case(policy: .mergeByPropertyStoreTrump, result: "a stored old"),
            Case(policy: .mergeByPropertyObjectTrump, result: "a new old"),
            Case(policy: .overwrite, result: "a new -"), Case(policy: .rollback, result: "a stored old"),
        ])
    func duplicateOfStored(_ factory: StoreFactory, _ test: Case) throws {
        // Whether the stored one is held by the context makes no difference.
        for isHeld in [true, false] {
            let container = try PersistentContainer(ConformanceModel.model, factory)
            let writer = container.makeContext()
            let original = try account(writer, "a", first: "stored", last: "old")
            try writer.save()
            let context = container.makeContext()
            let held = try isHeld ? context.lookUpObject(with: original.objectID) : nil
            let duplicate = try account(context, "a", first: "new")
            let bank = try context.insert(into: "Bank")
            try duplicate.setObject(bank, forKey: "bank")
            context.mergePolicy = test.policy
            try context.save()
            #expect(try stored(container) == [test.result])
            #expect(duplicate.managedObjectContext == nil && !context.hasChanges)
            let survivor = try #require(try context.fetchAll("Account").first)
            #expect(survivor.objectID == original.objectID && (held == nil || held === survivor))
            #expect(survivor["first"] == (test.result.contains("new") ? "new" : "stored"))
            let isLinked = test.policy == .mergeByPropertyObjectTrump || test.policy == .overwrite
            #expect(try survivor.object(forKey: "bank") === (isLinked ? bank : nil))
            #expect(try bank.objects(forKey: "accounts") == (isLinked ? [survivor] : []))
            let fresh = container.makeContext()
            let storedBank = try #require(try fresh.fetchAll("Bank").first)
            #expect(try storedBank.objects(forKey: "accounts").count == (isLinked ? 1 : 0))
            context.mergePolicy = .error
            try survivor.setValue("again", forKey: "first")
            try context.save()
        }
    }

    @Test(
        "Two objects of one save with a unique value: the first stays", arguments: StoreFactory.kinds,
        [
            Case(policy: .mergeByPropertyStoreTrump, result: "a one old"),
            Case(policy: .mergeByPropertyObjectTrump, result: "a two old"),
            Case(policy: .overwrite, result: "a two -"), Case(policy: .rollback, result: "a one old"),
        ])
    func duplicatesInOneSave(_ factory: StoreFactory, _ test: Case) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let first = try account(context, "a", first: "one", last: "old")
        let second = try account(context, "a", first: "two")
        let other = try account(context, "b")
        context.mergePolicy = test.policy
        try context.save()
        #expect(try stored(container) == [test.result, "b - -"])
        #expect(second.managedObjectContext == nil && !first.objectID.isTemporaryID && !other.objectID.isTemporaryID)
        #expect(try context.fetchAll("Account") == [first, other])
    }

    @Test("A changed object that takes a stored one's value", arguments: StoreFactory.kinds)
    func changedToDuplicate(_ factory: StoreFactory) throws {
        for (policy, expected) in [
            // A stored object keeps the value that it had.
            (.mergeByPropertyStoreTrump, ["a one -", "b changed -"]), (.mergeByPropertyObjectTrump, ["a changed -"]),
            // Giving up the changes is not giving up the object.
            (.rollback, ["a one -", "b two -"]),
        ] as [(MergePolicy, [String])] {
            let container = try PersistentContainer(ConformanceModel.model, factory)
            let writer = container.makeContext()
            _ = try account(writer, "a", first: "one")
            let second = try account(writer, "b", first: "two")
            try writer.save()
            let context = container.makeContext()
            let changed = try #require(try context.lookUpObject(with: second.objectID))
            try changed.setValue("a", forKey: "email")
            try changed.setValue("changed", forKey: "first")
            context.mergePolicy = policy
            try context.save()
            #expect(try stored(container) == expected, "\(policy)")
            #expect(!context.hasChanges)
        }
    }

    @Test("Who has the value in the store keeps it, though it was changed too", arguments: [true, false])
    func rightfulOwner(_ ownerIsFirst: Bool) throws {
        for (policy, expected) in [
            (.mergeByPropertyStoreTrump, ["x new -", "y - -"]), (.mergeByPropertyObjectTrump, ["x new -"]),
            (.rollback, ["x new -", "y - -"]),
        ] as [(MergePolicy, [String])] {
            let container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
            let writer = container.makeContext()
            let ids = try (ownerIsFirst ? ["x", "y"] : ["y", "x"]).map { try account(writer, $0) }
            try writer.save()
            let context = container.makeContext()
            let (owner, rival) = ownerIsFirst ? (ids[0].objectID, ids[1].objectID) : (ids[1].objectID, ids[0].objectID)
            try context.lookUpObject(with: owner)?.setValue("new", forKey: "first")
            try context.lookUpObject(with: rival)?.setValue("x", forKey: "email")
            context.mergePolicy = policy
            try context.save()
            #expect(try stored(container).sorted() == expected, "\(policy)")
        }
    }

    @Test("References to the duplicate lead to the object that stays", arguments: StoreFactory.kinds)
    func references(_ factory: StoreFactory) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Tag", [.attribute("name", .string), .toMany("notes", "Note", inverse: "tags")], unique: [["name"]]),
            EntityDescription(
                "Note",
                [
                    .toMany("tags", "Tag", inverse: "notes"), .toOne("main", "Tag", inverse: nil),
                ]),
        ])
        for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            let container = try PersistentContainer(model, factory)
            let writer = container.makeContext()
            let tag = try writer.insert(into: "Tag")
            try tag.setValue("x", forKey: "name")
            let old = try writer.insert(into: "Note")
            try old.add(tag, forKey: "tags")
            try writer.save()
            let context = container.makeContext()
            let duplicate = try context.insert(into: "Tag")
            try duplicate.setValue("x", forKey: "name")
            let note = try context.insert(into: "Note")
            try note.add(duplicate, forKey: "tags")
            try note.setObject(duplicate, forKey: "main")
            context.mergePolicy = policy
            try context.save()
            #expect(try note.objects(forKey: "tags").map(\.objectID) == [tag.objectID], "\(policy)")
            #expect(try note.object(forKey: "main")?.objectID == tag.objectID, "\(policy)")
            let fresh = container.makeContext()
            let stored = try fresh.fetchAll("Note")
            #expect(try fresh.count("Tag") == 1)
            #expect(
                try stored.map { try $0.objects(forKey: "tags").map(\.objectID) } == [[tag.objectID], [tag.objectID]])
            #expect(try stored.last?.object(forKey: "main")?.objectID == tag.objectID)
        }
    }

    @Test("Under the policy error the objects are named", arguments: StoreFactory.kinds)
    func refusal(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(ConformanceModel.model, factory).makeContext()
        let original = try account(context, "a", first: "Ann", last: "Lee")
        try context.save()
        let duplicate = try account(context, "b", first: "Ann", last: "Lee")
        let third = try account(context, "b", first: "Eve")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.diagnostics.map(\.code) == [.uniqueExists, .uniqueDuplicate])
        let conflicts = try #require(error?.underlying as? SaveConflicts)
        #expect(conflicts.mergeConflicts.isEmpty)
        let told = conflicts.constraintConflicts
        try #require(told.count == 2)
        #expect(told.map(\.constraint) == [["first", "last"], ["email"]])
        #expect(told[0].values == [.attribute("Ann"), .attribute("Lee")] && told[1].values == [.attribute("b")])
        #expect(told[0].objectID == duplicate.objectID && told[0].otherObjectID == original.objectID)
        #expect(told[1].objectID == third.objectID && told[1].otherObjectID == duplicate.objectID)
        #expect(context.insertedObjects == [duplicate, third])
    }

    @Test("Both kinds of conflicts come in one error", arguments: Rivalry.kinds)
    func bothKinds(_ rivalry: Rivalry) throws {
        let parties = try rivalry.make(ConformanceModel.model)
        let writer = parties.ours.makeContext()
        let saved = try account(writer, "a", first: "one")
        try writer.save()
        let context = parties.ours.makeContext()
        let object = try #require(try context.lookUpObject(with: saved.objectID))
        try object.setValue("ours", forKey: "first")
        try parties.theirs.change(saved.objectID, "first", to: "theirs")
        let other = parties.theirs.makeContext()
        _ = try account(other, "b")
        try other.save()
        _ = try account(context, "b")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        let conflicts = try #require(error?.underlying as? SaveConflicts)
        #expect(conflicts.mergeConflicts.map(\.objectID) == [saved.objectID])
        #expect(conflicts.constraintConflicts.map(\.constraint) == [["email"]])
        // A policy resolves both.
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try stored(parties.theirs) == ["a ours -", "b - -"])
    }
}
