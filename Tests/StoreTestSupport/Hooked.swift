import Foundation
import GranaryBase
package import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
package import GranaryModel
package import GranaryPredicates

/// An object that writes down which of its hooks ran, and lets a test act inside them.
package final class Hooked: ManagedObject {
    package private(set) var calls: [String] = []
    package var onWillSave: ((Hooked) throws -> Void)?
    package var onPrepareForDeletion: ((Hooked) throws -> Void)?
    /// What the name was while `awakeFromInsert` ran.
    package private(set) var nameAtInsert: AttributeValue?

    package override func awakeFromInsert() {
        calls.append("awakeFromInsert")
        nameAtInsert = self["name"]
    }

    package override func awakeFromFetch() { calls.append("awakeFromFetch") }

    package override func willSave() {
        calls.append("willSave")
        try? onWillSave?(self)
    }

    package override func didSave() { calls.append("didSave") }

    package override func prepareForDeletion() {
        calls.append("prepareForDeletion")
        try? onPrepareForDeletion?(self)
    }

    package override func validateValue(_ value: AttributeValue?, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        if key == "salary", case .integer(let salary)? = value, salary > 1_000_000 {
            throw NSError(domain: "Salaries", code: 4242)
        }
    }

    package func count(_ call: String) -> Int { calls.count { $0 == call } }
}

/// A model of people for the scenarios, its Person of the class ``Hooked``.
package enum PeopleModel {
    package static let model: ManagedObjectModel = {
        var person = EntityDescription(
            "Person",
            [
                .attribute("name", .string, .required, .defaultValue("buddy")),
                .attribute("number", .integer32, .required, .defaultValue(7)),
                .attribute(
                    "salary", .integer64,
                    .rule(.compare(.evaluatedObject, .greaterOrEqual, .constant(0)), "the salary is negative")),
                .attribute("note", .string),
                .attribute("mood", .integer16, .transient, .defaultValue(0)),
                .toOne("department", "Department", inverse: "employees"),
                .toMany("pets", "Pet", inverse: "owner", .deleteRule(.cascade)),
                .toOne("boss", "Person", inverse: "staff"),
                .toMany("staff", "Person", inverse: "boss", .deleteRule(.cascade)),
            ])
        person.managedObjectClassName = ".Hooked"
        return ManagedObjectModel(entities: [
            person,
            EntityDescription(
                "Department",
                [
                    .attribute("title", .string, .required),
                    .toMany("employees", "Person", inverse: "department", .deleteRule(.deny)),
                ]),
            EntityDescription("Pet", [.attribute("name", .string), .toOne("owner", "Person", inverse: "pets")]),
        ])
    }()

    package static func container() throws -> PersistentContainer {
        try PersistentContainer(model: model, store: .inMemory, classes: ["Hooked": Hooked.self])
    }
}

extension GranaryError {
    /// What it refuses, in short: `Person.name 1570`.
    package var summary: [String] {
        diagnostics.map { diagnostic in
            "\(diagnostic.entity ?? "-").\(diagnostic.property ?? "-") \(diagnostic.coreDataCode ?? 0)"
        }
    }
}
