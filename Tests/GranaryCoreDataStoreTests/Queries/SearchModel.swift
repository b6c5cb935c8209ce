import Foundation
import GranaryContexts
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport

/// Employees with attributes of all types, a hierarchy, to-one, to-many and many-to-many relationships.
enum SearchModel {
    static let model = ManagedObjectModel(entities: [
        indexed(
            "title",
            EntityDescription(
                "Department",
                [
                    .attribute("title", .string), .attribute("budget", .double),
                    .toMany("employees", "Employee", inverse: "department"),
                ])),
        indexed(
            "name",
            EntityDescription(
                "Employee",
                [
                    .attribute("name", .string), .attribute("age", .integer16), .attribute("salary", .double),
                    .attribute("ratio", .float), .attribute("hired", .date), .attribute("active", .boolean),
                    .attribute("code", .uuid), .attribute("balance", .decimal), .attribute("site", .uri),
                    .attribute("photo", .binary), .toOne("department", "Department", inverse: "employees"),
                    .toOne("boss", "Employee", inverse: "reports"), .toMany("reports", "Employee", inverse: "boss"),
                    .toMany("skills", "Skill", inverse: "people"),
                ])),
        manager,
        EntityDescription(
            "Skill",
            [
                .attribute("name", .string), .attribute("weight", .integer32),
                .toMany("people", "Employee", inverse: "skills"),
            ]),
    ])

    /// An index of a property changes how SQL finds related objects.
    private static func indexed(_ property: String, _ entity: EntityDescription) -> EntityDescription {
        var entity = entity
        entity.fetchIndexes = [FetchIndexDescription(name: "by\(property)", elements: [.init(propertyName: property)])]
        return entity
    }

    private static var manager: EntityDescription {
        var entity = EntityDescription("Manager", [.attribute("level", .integer64)])
        entity.superentityName = "Employee"
        return entity
    }

    static func code(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }

    /// Fills a store; the same seed gives the same objects with the same keys in each kind of store.
    static func fill(_ container: PersistentContainer, employees: Int = 60, seed: UInt64 = 7) throws {
        var random = SeededGenerator(seed: seed)
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) != 0 }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        let context = container.makeContext()
        let departments = try (0..<4).map { index in
            let department = try context.insert(into: "Department")
            if index > 0 { try department.setValue(.string(PredicateGenerator.words[index]), forKey: "title") }
            if index > 1 { try department.setValue(.double(Double(index) * 1.5), forKey: "budget") }
            return department
        }
        let skills = try (0..<5).map { index in
            let skill = try context.insert(into: "Skill")
            try skill.setValue(.string(PredicateGenerator.words[index]), forKey: "name")
            if index > 0 { try skill.setValue(.integer(Int64(index)), forKey: "weight") }
            return skill
        }
        var people: [ManagedObject] = []
        for index in 0..<employees {
            let person = try context.insert(into: index % 5 == 4 ? "Manager" : "Employee")
            func set(_ key: String, _ value: AttributeValue) throws {
                if chance(4) { try person.setValue(value, forKey: key) }
            }
            try set("name", .string(pick(PredicateGenerator.words)))
            try set("age", .integer(pick([-1, 0, 2, 3, 30, 40])))
            try set("salary", .double(pick([0, 0.1, 0.2, 0.3, 1.5, 30, 1e6])))
            try set("ratio", .float(pick([0, 0.1, 1.5, -2])))
            try set("hired", .date(Date(timeIntervalSinceReferenceDate: pick([0, 86_400, 86_400.5, 172_800]))))
            try set("active", .boolean(Bool.random(using: &random)))
            try set("code", .uuid(code(UInt8(index % 3))))
            try set("balance", .decimal(pick([0, 3, Decimal(string: "0.1") ?? 0, Decimal(string: "2.5") ?? 0])))
            if let site = URL(string: "https://example.com/\(index % 4)") { try set("site", .uri(site)) }
            try set("photo", .binary(Data([UInt8(index % 7)])))
            if chance(5) { try person.setObject(pick(departments), forKey: "department") }
            if index > 3, chance(4) { try person.setObject(pick(people), forKey: "boss") }
            try person.setObjects(skills.filter { _ in !chance(3) }, forKey: "skills")
            people.append(person)
        }
        try context.save()
    }
}
