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

/// The VAL scenarios of docs/core-data/behaviours.md#val-validation, under their numbers, and Core Data's number for
/// every rule.
@Suite("Validation") struct ValidationScenarioTests {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init() throws {
        container = try PeopleModel.container()
        context = container.makeContext()
    }

    @Test("VAL-01: a missing value fails for insert and for update, with 1570")
    func missingValue() throws {
        let person = try context.insert(into: "Person")
        try person.setValue(nil, forKey: "name")
        let error = #expect(throws: GranaryError.self) { try person.validateForInsert() }
        #expect(error?.summary == ["Person.name 1570"])
        #expect(error?.diagnostics.first?.message.contains("\(person.objectID)") == true)
        try person.setValue("Ann", forKey: "name")
        try context.save()
        try person.setValue(nil, forKey: "name")
        let later = #expect(throws: GranaryError.self) { try person.validateForUpdate() }
        #expect(later?.summary == ["Person.name 1570"])
        #expect(later?.diagnostics.first?.message.contains("\(person.objectID)") == true)
    }

    @Test("VAL-03: one value can be validated by itself")
    func validateValue() throws {
        let person = try context.insert(into: "Person")
        let error = #expect(throws: GranaryError.self) { try person.validateValue(-5, forKey: "salary") }
        #expect(error?.summary == ["Person.salary 1550"])
        try person.validateValue(50, forKey: "salary")
        #expect(person["salary"] == nil)
        #expect(throws: GranaryError.self) { try person.validateValue(50, forKey: "celery") }
    }

    @Test("VAL-05: a class's own error comes out as it is")
    func customError() throws {
        let person = try context.insert(into: "Person")
        try person.setValue(2_000_000, forKey: "salary")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == "Salaries" && error?.code == 4242)
        // With others beside it, all come together.
        try person.setValue(nil, forKey: "name")
        let both = #expect(throws: GranaryError.self) { try context.save() }
        #expect(both?.diagnostics.map(\.code) == [.valueMissing, .valuePredicate])
        #expect((both?.underlying as? NSError)?.code == 4242)
    }

    @Test("VAL-07, VAL-09: deny stops the save, not the deletion, while an object would be left")
    func denyRule() throws {
        let department = try context.insert(into: "Department")
        let person = try context.insert(into: "Person")
        try department.setValue("Sales", forKey: "title")
        try person.setObject(department, forKey: "department")
        try context.save()
        try context.delete(department)
        let error = #expect(throws: GranaryError.self) { try department.validateForDelete() }
        #expect(error?.summary == ["Department.employees 1600"])
        let refusal = #expect(throws: GranaryError.self) { try context.save() }
        #expect(refusal?.summary == ["Department.employees 1600"])
        #expect(department.isDeleted && context.hasChanges)
        #expect(try container.makeContext().count("Department") == 1)
        try context.delete(person)
        try department.validateForDelete()
        try context.save()
        #expect(try container.makeContext().count("Department") == 0)
    }

    @Test("VAL-11: the failure names the property and says that a value is required")
    func message() throws {
        try context.insert(into: "Department")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.summary == ["Department.title 1570"])
        #expect(error?.diagnostics.first?.message.hasPrefix("a value is required") == true)
    }

    @Test("VAL-13: a mandatory derived attribute has no value before the save", arguments: StoreFactory.kinds)
    func derivedAttribute(_ factory: StoreFactory) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Text",
                [.attribute("title", .string), .attribute("upper", .string, .required, .derived("canonical:(title)"))])
        ])
        let container = try PersistentContainer(model, factory)
        let context = container.makeContext()
        try context.insert(into: "Text").setValue("a", forKey: "title")
        #expect(try context.validate().map(\.coreDataCode) == [1570])
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.summary == ["Text.upper 1570"])
        #expect(context.insertedObjects.count == 1)
        #expect(try container.makeContext().count("Text") == 0)
    }

    static let rules = ManagedObjectModel(entities: [
        EntityDescription(
            "Ruled",
            [
                .attribute("required", .string, .required),
                .attribute("text", .string, .length(2...4)),
                .attribute("pattern", .string, .pattern("[a-z]+")),
                .attribute("number", .integer32, .minimum(10), .maximum(20)),
                .attribute(
                    "date", .date, .minimum(.date(Date(timeIntervalSinceReferenceDate: 0))),
                    .maximum(.date(Date(timeIntervalSinceReferenceDate: 100)))),
                .attribute("real", .double),
                .toOne("one", "Ruled", inverse: nil, .required),
                .toMany("many", "Ruled", inverse: nil, .required, .count(1, 0)),
                .toMany("unbounded", "Ruled", inverse: nil, .required),
                .toMany("some", "Ruled", inverse: nil, .count(2, 3)),
            ])
    ])

    @Test(
        "Every rule has Core Data's number",
        arguments: [
            ("required", nil, 1570), ("text", "a", 1670), ("text", "abcde", 1660), ("text", "😀😀", 0),
            ("text", "😀😀😀", 1660), ("pattern", "abc1", 1680), ("number", 9, 1620), ("number", 21, 1610),
            ("number", 20, 0),
            ("date", .date(Date(timeIntervalSinceReferenceDate: -1)), 1640),
            ("date", .date(Date(timeIntervalSinceReferenceDate: 101)), 1630),
        ] as [(String, AttributeValue?, Int)])
    func numbers(key: String, value: AttributeValue?, code: Int) throws {
        let context = try PersistentContainer(model: Self.rules, store: .inMemory).makeContext()
        let object = try context.insert(into: "Ruled")
        try object.setValue("x", forKey: "required")
        try object.setObject(object, forKey: "one")
        try object.add(object, forKey: "many")
        #expect(try context.validate() == [])
        try object.setValue(value, forKey: key)
        let found = try context.validate()
        #expect(found.map(\.coreDataCode) == (code == 0 ? [] : [code]))
        #expect(found.allSatisfy { $0.entity == "Ruled" && $0.property == key })
    }

    @Test("Relationship counts: an empty required to-one is 1570, fewer than the minimum 1580; without a minimum none")
    func relationshipCounts() throws {
        let context = try PersistentContainer(model: Self.rules, store: .inMemory).makeContext()
        let objects = try (0..<4).map { _ in try context.insert(into: "Ruled") }
        for object in objects {
            try object.setValue("x", forKey: "required")
            try object.setObject(object, forKey: "one")
        }
        for object in objects { try object.add(object, forKey: "many") }
        #expect(try context.validate() == [])
        try objects[0].setObject(nil, forKey: "one")
        try objects[0].setObjects([], forKey: "many")
        #expect(try context.validate().map(\.coreDataCode) == [1570, 1580])
        try objects[0].setObject(objects[0], forKey: "one")
        try objects[0].add(objects[0], forKey: "many")
        try objects[1].add(objects[0], forKey: "some")
        #expect(try context.validate().map(\.coreDataCode) == [1580])
        try objects[1].setObjects(Array(objects[0...2]), forKey: "some")
        #expect(try context.validate() == [])
        try objects[1].setObjects(objects, forKey: "some")
        #expect(try context.validate().map(\.coreDataCode) == [1590])
    }

    @Test("All failures of all objects come at once, in the objects' order, and nothing is saved")
    func allAtOnce() throws {
        for name in ["first", "second"] {
            let person = try context.insert(into: "Person")
            try person.setValue(nil, forKey: "name")
            try person.setValue(nil, forKey: "number")
            try person.setValue(-1, forKey: "salary")
            try person.setValue(.string(name), forKey: "note")
        }
        try context.insert(into: "Department")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        let each = ["Person.name 1570", "Person.number 1570", "Person.salary 1550"]
        #expect(error?.summary == each + each + ["Department.title 1570"])
        #expect(error?.diagnostics[2].value == "-1")
        #expect(try context.validate() == error?.diagnostics)
        #expect(try container.makeContext().count("Person") == 0)
        #expect(context.insertedObjects.count == 3 && context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID })
    }

    @Test("A number that is not finite is refused")
    func notFinite() throws {
        let context = try PersistentContainer(model: Self.rules, store: .inMemory).makeContext()
        let object = try context.insert(into: "Ruled")
        try object.setValue(.double(.nan), forKey: "real")
        #expect(try context.validate().contains { $0.code == .valueRange && $0.property == "real" })
    }
}
