import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

/// The errors of saves and of opening stores, as a program that knows Core Data's sees them.
@Suite("Errors with Core Data's numbers") struct SaveErrorTests {
    private func error(_ body: () throws -> Void) throws -> NSError {
        var caught: (any Error)?
        do { try body() } catch { caught = error }
        return try #require(caught) as NSError
    }

    @Test("One broken rule is its own error; several are 1560 with the single ones inside")
    func validation() throws {
        let context = try PeopleModel.container().makeContext()
        let ann = try context.person("Ann", salary: -5)
        let one = try error { try context.save() }
        #expect(one.domain == "NSCocoaErrorDomain" && one.code == 1550)
        #expect(one.userInfo["NSValidationErrorKey"] as? String == "salary")
        #expect(one.userInfo["NSValidationErrorObject"] as? URL == ann.objectID.uriRepresentation)
        // The model's text for the rule, and the predicate that is false.
        #expect(one.localizedDescription == "the salary is negative")
        let rule: ObjectPredicate = .compare(.evaluatedObject, .greaterOrEqual, .constant(0))
        #expect(one.userInfo["NSValidationErrorPredicate"] as? ObjectPredicate == rule)
        try ann.setValue(nil, forKey: "name")
        try ann.setValue(2_000_000, forKey: "salary")
        let several = try error { try context.save() }
        #expect(several.code == 1560)
        let details = try #require(several.userInfo["NSDetailedErrors"] as? [any Error]).map { $0 as NSError }
        // The class's own error is inside as it was thrown.
        #expect(details.map(\.code) == [1570, 4242])
        #expect(details.map(\.domain) == ["NSCocoaErrorDomain", "Salaries"])
        #expect(details.first?.userInfo["NSValidationErrorKey"] as? String == "name")
        // VAL-05: alone it is not wrapped.
        try ann.setValue("Ann", forKey: "name")
        let own = try error { try context.save() }
        #expect(own.domain == "Salaries" && own.code == 4242)
    }

    @Test("Several broken rules are 1560 where some have no number of Core Data's")
    func granarysOwnRules() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "E",
                [.attribute("a", .double), .attribute("b", .double), .attribute("name", .string, .required)])
        ])
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let object = try context.insert(into: "E")
        try object.setValue("e", forKey: "name")
        for key in ["a", "b"] { try object.setValue(.double(.nan), forKey: key) }
        #expect(try error { try context.save() }.code == 1560)
        try object.setValue(nil, forKey: "name")
        try object.setValue(.double(1), forKey: "a")
        let several = try error { try context.save() }
        #expect(several.code == 1560)
        let details = try #require(several.userInfo["NSDetailedErrors"] as? [any Error])
        #expect(details.map { ($0 as NSError).code } == [134_060, 1570])
    }

    @Test("A file of another store type is 134010", arguments: [false, true])
    func storeType(_ isArchive: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "store")
        let (own, other): (StoreLocation, StoreLocation) =
            isArchive ? (.archive(url), .sqlite(url)) : (.sqlite(url), .archive(url))
        let context = try PersistentContainer(model: PeopleModel.model, store: own).makeContext()
        _ = try context.person("Ann")
        try context.save()
        let found = try error { _ = try PersistentContainer(model: PeopleModel.model, store: other) }
        #expect(found.code == 134_010)
        #expect(found.localizedDescription.contains(url.lastPathComponent))
    }

    @Test("VAL-09: a denied deletion is 1600")
    func denied() throws {
        let context = try PeopleModel.container().makeContext()
        let department = try context.department("Sales")
        let ann = try context.person("Ann")
        try ann.setObject(department, forKey: "department")
        try context.save()
        try context.delete(department)
        let refused = try error { try context.save() }
        #expect(refused.code == 1600 && refused.localizedDescription.contains("Department.employees"))
    }

    @Test("A conflict is 133020 with the conflicts, one about unique values 133021", arguments: StoreFactory.kinds)
    func conflicts(_ factory: StoreFactory) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Tag", [.attribute("name", .string), .attribute("note", .string)], unique: [["name"]])
        ])
        let container = try PersistentContainer(model, factory)
        let context = container.makeContext()
        let tag = try context.insert(into: "Tag")
        try tag.setValue("a", forKey: "name")
        try context.save()
        try container.change(tag.objectID, "note", to: "theirs")
        try tag.setValue("ours", forKey: "note")
        let conflict = try error { try context.save() }
        #expect(conflict.code == 133_020)
        let list = try #require(conflict.userInfo["conflictList"] as? [Any])
        #expect((list.first as? MergeConflict)?.objectID == tag.objectID)
        #expect(conflict.userInfo["NSAffectedObjectsErrorKey"] as? [URL] == [tag.objectID.uriRepresentation])
        #expect(conflict.localizedDescription.contains("Tag.note") && conflict.localizedDescription.contains("theirs"))
        #expect(
            (conflict.userInfo[NSUnderlyingErrorKey] as? SaveConflicts)?.localizedDescription.contains("theirs") == true
        )
        context.rollback()
        let duplicate = try context.insert(into: "Tag")
        try duplicate.setValue("a", forKey: "name")
        let unique = try error { try context.save() }
        #expect(unique.code == 133_021)
        let constraint = (unique.userInfo["conflictList"] as? [Any])?.first as? ConstraintConflict
        #expect(constraint?.constraint == ["name"] && constraint?.objectID == duplicate.objectID)
        #expect(unique.localizedDescription.contains("Tag.name"))
    }

    @Test("A store that does not fit the model is 134100 with the entities that differ", arguments: StoreType.allCases)
    func mismatch(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let location = kind.location("Store", in: folder)
        try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        _ = try PersistentContainer(model: PeopleModel.model, store: location)
        guard location.url != nil else { return }
        var other = PeopleModel.model
        other.entities[1].attributes[0].isOptional = true
        other.entities[2].attributes[0].type = .integer16
        var description = PersistentStoreDescription(location)
        description.migratesAutomatically = false
        let refused = try error { _ = try PersistentContainer(other, [description]) }
        #expect(refused.code == 134_100)
        #expect(refused.localizedDescription.contains("Department") && refused.localizedDescription.contains("Pet"))
        #expect(!refused.localizedDescription.contains("Person:"))
        // By default the store is migrated, which is not possible: NSInferredMappingModelError.
        let unmapped = try error { _ = try PersistentContainer(model: other, store: location) }
        #expect(unmapped.code == 134_190)
    }
}
