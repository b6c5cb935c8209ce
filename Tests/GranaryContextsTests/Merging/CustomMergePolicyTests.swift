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

/// Policies of one's own, and the hooks of objects that a policy has changed.
@Suite("Custom merge policies") struct CustomMergePolicyTests {
    /// Adds the changes of both sides to the salary; otherwise the object wins.
    private final class AddingPolicy: MergePolicy, @unchecked Sendable {
        init() { super.init(basedOn: .mergeByPropertyObjectTrump) }

        override func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy {
            guard let salary = conflict.properties.first(where: { $0.name == "salary" }) else { return self }
            if case (
                .attribute(.integer(let here)?), .attribute(.integer(let there)?)?, .attribute(.integer(let old)?)
            ) =
                (salary.objectValue, salary.storeValue, salary.snapshotValue)
            {
                try object.setValue(.integer(here + there - old), forKey: "salary")
            }
            return self
        }
    }

    private func conflict(_ policy: MergePolicy, _ factory: StoreFactory) throws -> (PersistentContainer, Hooked) {
        let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
        let context = container.makeContext()
        let ann = try #require(try context.person("Ann", salary: 100) as? Hooked)
        try context.save()
        try container.change(ann.objectID, "salary", to: 130)
        try ann.setValue(120, forKey: "salary")
        try ann.setValue("Anna", forKey: "name")
        context.mergePolicy = policy
        // The object holds no context.
        return try withExtendedLifetime(context) {
            try context.save()
            return (container, ann)
        }
    }

    @Test("A subclass sees the conflict and changes the object", arguments: StoreFactory.kinds)
    func subclass(_ factory: StoreFactory) throws {
        let (container, ann) = try conflict(AddingPolicy(), factory)
        #expect(try container.stored(ann.objectID, "salary") == 150)
        #expect(try container.stored(ann.objectID, "name") == "Anna")
    }

    @Test("A closure says which policy resolves the conflict of an object", arguments: StoreFactory.kinds)
    func closure(_ factory: StoreFactory) throws {
        let store = MergePolicy.custom { conflict, object in
            #expect(conflict.properties.map(\.name) == ["name", "salary"] && object["name"] == "Anna")
            return .mergeByPropertyStoreTrump
        }
        let (container, ann) = try conflict(store, factory)
        #expect(try container.stored(ann.objectID, "salary") == 130)
        #expect(try container.stored(ann.objectID, "name") == "Anna")
        let error = #expect(throws: GranaryError.self) { try conflict(.custom { _, _ in .error }, factory) }
        #expect(error?.coreDataCode == 133_020)
        #expect(throws: CocoaError.self) { try conflict(.custom { _, _ in throw CocoaError(.userCancelled) }, factory) }
    }

    /// Sets the salary, and lets a standard policy resolve the rest.
    private final class Deciding: MergePolicy, @unchecked Sendable {
        let other: MergePolicy

        init(then other: MergePolicy) {
            self.other = other
            super.init(basedOn: other)
        }

        override func resolve(_ conflict: MergeConflict, of object: ManagedObject) throws -> MergePolicy {
            try object.setValue(77, forKey: "salary")
            return other
        }
    }

    @Test("A value that a policy sets is saved, whichever policy it returns", arguments: StoreFactory.kinds)
    func decided(_ factory: StoreFactory) throws {
        let policies = [
            MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
        ]
        for policy in policies {
            let (container, ann) = try conflict(Deciding(then: policy), factory)
            #expect(try container.stored(ann.objectID, "salary") == 77)
        }
        let setting = MergePolicy.custom { conflict, object in
            try object.setValue(50, forKey: "salary")
            return .mergeByPropertyStoreTrump
        }
        let (container, ann) = try conflict(setting, factory)
        #expect(try container.stored(ann.objectID, "salary") == 50)
    }

    @Test("A policy based on a custom one asks that one", arguments: StoreFactory.kinds)
    func basedOnCustom(_ factory: StoreFactory) throws {
        let (container, ann) = try conflict(MergePolicy(basedOn: AddingPolicy()), factory)
        #expect(try container.stored(ann.objectID, "salary") == 150)
    }

    @Test("A closure is asked about unique values too, where a subclass says so")
    func uniqueValues() throws {
        final class Keeping: MergePolicy, @unchecked Sendable {
            init() { super.init(basedOn: .error) }

            override func resolve(
                _ conflict: ConstraintConflict, of object: ManagedObject, with other: ManagedObject
            ) throws -> MergePolicy {
                try other.setValue(object["note"], forKey: "note")
                return .mergeByPropertyStoreTrump
            }
        }
        let model = ManagedObjectModel(entities: [
            EntityDescription("Tag", [.attribute("name", .string), .attribute("note", .string)], unique: [["name"]])
        ])
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let first = try context.insert(into: "Tag")
        try first.setValue("a", forKey: "name")
        try context.save()
        let second = try context.insert(into: "Tag")
        try second.setValue("a", forKey: "name")
        try second.setValue("kept", forKey: "note")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.coreDataCode == 133_021)
        context.mergePolicy = Keeping()
        try context.save()
        #expect(try context.count("Tag") == 1 && first["note"] == "kept")
    }

    /// A sum that `willSave` keeps: a stale one would be stored if the hook did not run again.
    @Test("willSave runs again on what a policy has taken over", arguments: StoreFactory.kinds)
    func willSaveAgain(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
        let context = container.makeContext()
        let ann = try #require(try context.person("Ann", salary: 1) as? Hooked)
        try ann.setValue(2, forKey: "number")
        // The note is the sum of salary and number.
        ann.onWillSave = { object in
            guard case (.integer(let salary)?, .integer(let number)?) = (object["salary"], object["number"]) else {
                return
            }
            let sum = AttributeValue.string("\(salary + number)")
            if object["note"] != sum { try object.setValue(sum, forKey: "note") }
        }
        try context.save()
        #expect(ann["note"] == "3")
        try container.change(ann.objectID, "number", to: 20)
        try ann.setValue(10, forKey: "salary")
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try container.stored(ann.objectID, "number") == 20)
        #expect(try container.stored(ann.objectID, "note") == "30")
        #expect(ann["note"] == "30")
    }

    @Test("A refused save takes back what the policy has set", arguments: StoreFactory.kinds)
    func refused(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        let people = [try context.person("Ann", salary: 10), try context.person("Bob", salary: 10)]
        try context.save()
        for person in people {
            try container.change(person.objectID, "salary", to: 12)
            try person.setValue(11, forKey: "salary")
        }
        let adding = AddingPolicy()
        let (ann, bob) = (people[0].objectID, people[1].objectID)
        let refusing = [
            MergePolicy.custom { conflict, object in
                conflict.objectID == bob ? .error : try adding.resolve(conflict, of: object)
            },
            .custom { conflict, object in
                _ = try adding.resolve(conflict, of: object)
                throw CocoaError(.userCancelled)
            },
        ]
        for policy in refusing {
            context.mergePolicy = policy
            #expect(throws: (any Error).self) { try context.save() }
            #expect(people.map { $0["salary"] } == [11, 11])
        }
        context.mergePolicy = adding
        try context.save()
        #expect(try container.stored(ann, "salary") == 13)
        #expect(try container.stored(bob, "salary") == 13)
    }

    /// Somebody writes between two tries: the second conflict starts from what the first one has seen.
    @Test("A policy that is asked twice adds each change once", arguments: StoreFactory.kinds)
    func askedTwice(_ factory: StoreFactory) throws {
        for mode in [MergePolicy.mergeByPropertyObjectTrump, .overwrite] {
            let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
            let context = container.makeContext()
            let ann = try #require(try context.person("Ann", salary: 10) as? Hooked)
            try context.save()
            try container.change(ann.objectID, "salary", to: 12)
            try ann.setValue(11, forKey: "salary")
            var rounds = 0
            ann.onWillSave = { object in
                rounds += 1
                if rounds == 2 { try container.change(object.objectID, "salary", to: 14) }
            }
            let adding = AddingPolicy()
            context.mergePolicy = .custom { conflict, object in
                _ = try adding.resolve(conflict, of: object)
                return mode
            }
            try context.save()
            // 10, 1 more here and 4 more there.
            #expect(rounds >= 2)
            #expect(try container.stored(ann.objectID, "salary") == 15)
        }
    }

    @Test("A policy may decide for the value that the object has", arguments: StoreFactory.kinds)
    func ownValue(_ factory: StoreFactory) throws {
        for policy in [MergePolicy.mergeByPropertyStoreTrump, .rollback] {
            let keeping = MergePolicy.custom { conflict, object in
                try object.setValue(object["salary"], forKey: "salary")
                return policy
            }
            let (container, ann) = try conflict(keeping, factory)
            #expect(try container.stored(ann.objectID, "salary") == 120)
            #expect(ann["salary"] == 120)
        }
    }

    @Test("willSave does not run again on an object that the policy has left as it was", arguments: StoreFactory.kinds)
    func unchanged(_ factory: StoreFactory) throws {
        for policy in [MergePolicy.overwrite, .mergeByPropertyObjectTrump] {
            let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
            let context = container.makeContext()
            let ann = try #require(try context.person("Ann", salary: 1) as? Hooked)
            try context.save()
            try container.change(ann.objectID, "salary", to: 2)
            try ann.setValue(3, forKey: "salary")
            var calls = 0
            ann.onWillSave = { _ in calls += 1 }
            context.mergePolicy = policy
            try context.save()
            #expect(calls == 1)
            #expect(try container.stored(ann.objectID, "salary") == 3)
        }
    }
}
