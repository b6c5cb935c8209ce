import GranaryBase
import Testing

@testable import GranaryModel

@Suite struct SchemaTests {
    /// Person (abstract) over Customer and employee; Manager under employee.
    private static let company = ManagedObjectModel(entities: [
        EntityDescription("Manager", [.attribute("level", .integer16)], superentity: "employee"),
        EntityDescription(
            "Person", [.attribute("name", .string, .required), .toOne("home", "City", inverse: "people")],
            isAbstract: true, unique: [["name"]]),
        EntityDescription(
            "employee", [.attribute("salary", .decimal), .toOne("boss", "Manager", inverse: nil)],
            superentity: "Person", unique: [["salary", "boss"]]),
        EntityDescription("Customer", [.attribute("since", .date)], superentity: "Person"),
        EntityDescription("City", [.toMany("people", "Person", inverse: "home")]),
        EntityDescription("aardvark", [.attribute("name", .string)]),
    ])

    @Test func entitiesAreNumberedWithoutRegardToCaseDepthFirst() throws {
        let schema = try Self.company.resolved()
        #expect(schema.entities.map(\.name) == ["aardvark", "City", "Person", "Customer", "employee", "Manager"])
        #expect(schema.entities.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(schema.entities.map(\.index) == Array(0..<6))
        #expect(schema.entities.map(\.superentity) == [nil, nil, nil, 2, 2, 4])
        #expect(schema.entities.map(\.root) == [0, 1, 2, 2, 2, 2])
        #expect(schema.entities.map(\.family) == [0..<1, 1..<2, 2..<6, 3..<4, 4..<6, 5..<6])
        #expect(schema.entities.map(\.hasSubentities) == [false, false, true, false, true, false])
        #expect(schema.entity(5, isKindOf: 2))
        #expect(!schema.entity(2, isKindOf: 5))
        #expect(!schema.entity(3, isKindOf: 4))
        #expect(schema.entity(named: "Manager")?.index == 5)
        #expect(schema.entity(named: "manager") == nil)
    }

    @Test func theOrderInTheModelDoesNotMatter() throws {
        var reversed = Self.company
        reversed.entities.reverse()
        let (one, other) = (try Self.company.resolved(), try reversed.resolved())
        #expect(one.entities.map(\.name) == other.entities.map(\.name))
        #expect(one.versionHashes == other.versionHashes)
        #expect(one.checksum == other.checksum && one.digest == other.digest)
    }

    @Test(
        "A store's own numbers count where they are an order of the hierarchy",
        arguments: [
            (["B_a": 1, "Ba": 2, "Bb": 3, "A": 4], ["B_a", "Ba", "Bb", "A"]),
            // A gap, one that is missing, a subentity apart from its superentity: the model's own order.
            (["B_a": 1, "Ba": 2, "Bb": 3, "A": 5], ["A", "B_a", "Ba", "Bb"]),
            (["B_a": 1, "Ba": 2, "Bb": 3], ["A", "B_a", "Ba", "Bb"]),
            (["Bb": 1, "A": 2, "B_a": 3, "Ba": 4], ["A", "B_a", "Ba", "Bb"]),
        ])
    func numbersOfAStore(_ numbers: [String: Int], _ expected: [String]) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", []), EntityDescription("Ba", []), EntityDescription("B_a", []),
            EntityDescription("Bb", [], superentity: "Ba"),
        ])
        let schema = try model.resolved(numbers: numbers)
        #expect(schema.entities.map(\.name) == expected)
        #expect(schema.entities.map(\.number) == [1, 2, 3, 4])
        #expect(schema.versionHashes == (try model.resolved().versionHashes))
    }

    @Test func slotsOfASuperentityAreThoseOfItsSubentities() throws {
        let schema = try Self.company.resolved()
        let manager = try #require(schema.entity(named: "Manager"))
        let employee = try #require(schema.entity(named: "employee"))
        #expect(manager.attributes.map(\.name) == ["name", "salary", "level"])
        #expect(manager.relationships.map(\.name) == ["home", "boss"])
        #expect(manager.slotCount == 5)
        #expect((manager.attributes.map(\.slot) + manager.relationships.map(\.slot)).sorted() == Array(0..<5))
        for attribute in employee.attributes {
            #expect(manager.attribute(named: attribute.name)?.slot == attribute.slot)
            #expect(manager.attribute(named: attribute.name)?.owner == attribute.owner)
        }
        for relationship in employee.relationships {
            #expect(manager.relationship(named: relationship.name)?.slot == relationship.slot)
        }
        #expect(manager.attribute(named: "home") == nil)
        #expect(manager.relationship(named: "name") == nil)
        #expect(manager.property(named: "level") == .attribute(2))
        #expect(manager.property(named: "boss") == .relationship(1))
    }

    @Test func inversesAreFoundThroughSuperentities() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Base", [.toOne("other", "Base", inverse: nil), .toMany("notes", "Note", inverse: "of")]),
            EntityDescription("Leaf", [.toOne("partner", "Leaf", inverse: "partner")], superentity: "Base"),
            EntityDescription("Note", [.toOne("of", "Leaf", inverse: "notes")]),
        ])
        let schema = try model.resolved()
        let note = try #require(schema.entity(named: "Note")?.relationship(named: "of"))
        #expect(note.destination == 1)
        #expect(note.inverse == Schema.Inverse(owner: 0, relationship: 1))
        let leaf = try #require(schema.entity(named: "Leaf"))
        #expect(leaf.relationship(named: "notes")?.inverse == Schema.Inverse(owner: 2, relationship: 0))
        #expect(leaf.relationship(named: "partner")?.inverse == Schema.Inverse(owner: 1, relationship: 2))
        #expect(leaf.relationship(named: "other")?.inverse == nil)
    }

    @Test func aSecondClaimToAnInverseHasNone() throws {
        // As in a real app's model: Image.artist names Artist.thumbnail, which agrees with Image.thumbnail.
        let model = ManagedObjectModel(entities: [
            EntityDescription("Artist", [.toOne("thumbnail", "Image", inverse: "thumbnail")]),
            EntityDescription(
                "Image",
                [
                    .toOne("artist", "Artist", inverse: "thumbnail"),
                    .toOne("thumbnail", "Artist", inverse: "thumbnail"),
                ]),
        ])
        let image = try #require(try model.resolved().entity(named: "Image"))
        #expect(image.relationship(named: "artist")?.inverse == nil)
        #expect(image.relationship(named: "thumbnail")?.inverse == Schema.Inverse(owner: 0, relationship: 0))
        #expect(model.problems().map(\.severity) == [.warning])
    }

    @Test func uniquenessConstraintsAreInherited() throws {
        let schema = try Self.company.resolved()
        let constraints = try #require(schema.entity(named: "Manager")).uniquenessConstraints
        #expect(constraints.map(\.names) == [["name"], ["salary", "boss"]])
        #expect(constraints.map(\.owner) == [2, 4])
        #expect(constraints.map(\.properties) == [[.attribute(0)], [.attribute(1), .relationship(1)]])
    }

    @Test func compositesAreTakenApart() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Trip",
                [
                    .attribute("name", .string), .attribute("from", .composite, .composite("Place"), .required),
                    .attribute("to", .composite, .composite("Place")), .attribute("note", .string),
                ], unique: [["from.at.x"]])
        ])
        var label = AttributeDescription(name: "label", type: .string)
        label.isOptional = false
        var at = AttributeDescription(name: "at", type: .composite)
        at.compositeName = "Point"
        model.composites = [
            CompositeDescription(name: "Place", elements: [label, at]),
            CompositeDescription(name: "Point", elements: [AttributeDescription(name: "x", type: .double)]),
        ]
        let trip = try #require(try model.resolved().entity(named: "Trip"))
        #expect(
            trip.attributes.map(\.name) == ["name", "from.label", "from.at.x", "to.label", "to.at.x", "note"])
        #expect(trip.attributes.map(\.description.name) == ["name", "label", "x", "label", "x", "note"])
        #expect(trip.attributes.map(\.description.isOptional) == [true, false, false, true, true, true])
        #expect(trip.attribute(named: "to.at.x")?.slot == 4)
        #expect(trip.attribute(named: "to") == nil)
        #expect(trip.uniquenessConstraints.map(\.properties) == [[.attribute(2)]])
    }

    @Test func abstractAndTransientAreKept() throws {
        let schema = try Self.company.resolved()
        #expect(schema.entities.map(\.isAbstract) == [false, false, true, false, false, false])
        let entity = EntityDescription("A", [.attribute("t", .undefined, .transient)])
        let attribute = try ManagedObjectModel(entities: [entity]).resolved().entities[0].attributes[0]
        #expect(!attribute.isPersistent)
    }
}
