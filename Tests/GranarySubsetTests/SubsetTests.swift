import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranarySubset
@testable import SeedingTestSupport

/// Which objects a subset has, and their links.
@Suite struct SubsetTests {
    private typealias Selection = SubsetOptions.Selection

    /// A store in memory with objects of `model`: entity, key and references.
    private static func store(
        _ model: ManagedObjectModel, _ objects: [(String, Int64, [String: (String, Int64)])]
    ) throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        for (entity, key, references) in objects {
            try ExportSamples.insert(entity, key, to: references, into: store)
        }
        return store
    }

    @Test("To-one relationships are followed, to subentities and in circles")
    func references() throws {
        let source = try ExportSamples.companyStore()
        // Ann's department is 2, whose head is Cy, whose department is 1.
        let subset = try SubsetSample(of: source, [Selection("Person", where: try ObjectPredicate("name == 'Ann'"))]) {
            $0.smallTableLimit = 0
        }
        #expect(try subset.keys == ["Department": [1, 2], "Employee": [1, 3]])
        #expect(try subset.findings == [])
        let employee = try #require(subset.report.entities.first { $0.name == "Employee" })
        #expect(employee.chosen == 1 && employee.needed == 1 && employee.total == 2 && employee.count == 2)
        // Her tags and the friend who is no employee are cut; the friend who is her boss stays.
        #expect(try subset.members("Person", "friends") == [1: [3]])
        let cut = Dictionary(uniqueKeysWithValues: subset.report.relationships.map { ("\($0.entity).\($0.name)", $0) })
        #expect(cut["Person.tags"]?.cut == 2 && cut["Person.friends"]?.cut == 1 && cut["Person.friends"]?.kept == 1)
        #expect(subset.report.ledger == "took 4 objects: Department 2, Employee 2")
    }

    @Test("An entity without a predicate means all of its objects, and selections add up")
    func selections() throws {
        let source = try ExportSamples.companyStore()
        let all = try SubsetSample(of: source, [Selection("Person"), Selection("Tag")])
        #expect(
            try all.keys == ["Department": [1, 2], "Employee": [1, 3], "Customer": [2], "Tag": [1, 2]])
        #expect(all.report.relationships.allSatisfy { $0.cut == 0 })
        let none = try SubsetSample(of: source, [Selection("Person", where: try ObjectPredicate("name == 'Zed'"))])
        #expect(try none.keys == [:] && none.report.ledger == "took 0 objects")
        #expect(try none.findings == [])
    }

    @Test("Each step of the depth adds the members of the objects of the step before")
    func depth() throws {
        let source = try ExportSamples.companyStore()
        let chosen = [Selection("Department", where: try ObjectPredicate("name == 'Sales'"))]
        #expect(try SubsetSample(of: source, chosen).keys == ["Department": [1]])
        let one = try SubsetSample(of: source, chosen) { $0.depth = 1 }
        #expect(try one.keys == ["Department": [1], "Employee": [3]])
        #expect(one.report.entities.map(\.neighbours) == [[], [1]])
        let customers = [Selection("Employee", where: try ObjectPredicate("name == 'Ann'"))]
        let many = try SubsetSample(of: source, customers) { $0.depth = 1 }
        // Department 2 is needed only, so its staff is not added.
        #expect(try many.keys == ["Department": [1, 2], "Employee": [1, 3], "Customer": [2], "Tag": [1, 2]])
        #expect(try SubsetSample(of: source, customers) { $0.depth = 100 }.keys == many.keys)
    }

    @Test("A relationship that is not followed keeps its object only if that is there for another reason")
    func unfollowed() throws {
        let source = try ExportSamples.companyStore()
        let all = try SubsetSample(of: source, [Selection("Employee")]) {
            $0.unfollowedRelationships = ["Person.department"]
            $0.smallTableLimit = 0
        }
        #expect(try all.keys == ["Employee": [1, 3]])
        #expect(all.report.relationships.first { $0.name == "department" }?.cut == 2)
        let some = try SubsetSample(
            of: source, [Selection("Employee"), Selection("Department", where: try ObjectPredicate("name == 'Sales'"))]
        ) {
            $0.unfollowedRelationships = ["Employee.department"]
            $0.smallTableLimit = 0
        }
        #expect(try some.keys == ["Department": [1], "Employee": [1, 3]])
        #expect(try some.findings == [] && some.report.warnings.isEmpty)
    }

    /// A box has at least two ordered items; a bag is empty or has at least two.
    private static let boxes: ManagedObjectModel = {
        var items = RelationshipDescription(name: "items", destination: "Item", inverse: "box")
        (items.minCount, items.maxCount, items.isOrdered, items.isOptional) = (2, 0, true, false)
        var box = RelationshipDescription(name: "box", destination: "Box", inverse: "items")
        box.isOptional = true
        var things = RelationshipDescription(name: "things", destination: "Item", inverse: "bags")
        (things.minCount, things.maxCount, things.isOptional) = (2, 0, true)
        var bags = RelationshipDescription(name: "bags", destination: "Bag", inverse: "things")
        (bags.maxCount, bags.isOptional) = (0, true)
        var (boxEntity, itemEntity, bagEntity) = (
            EntityDescription(name: "Box"), EntityDescription(name: "Item"), EntityDescription(name: "Bag")
        )
        boxEntity.relationships = [items]
        itemEntity.relationships = [box, bags]
        bagEntity.relationships = [things]
        return ManagedObjectModel(entities: [boxEntity, itemEntity, bagEntity])
    }()

    private static func boxStore() throws -> InMemoryStore {
        let source = try store(boxes, [("Box", 1, [:]), ("Bag", 1, [:])])
        for key in 1...6 as ClosedRange<Int64> { try ExportSamples.insert("Item", key, into: source) }
        try ExportSamples.link("Box", 1, "items", to: [("Item", 4), ("Item", 2), ("Item", 3)], in: source)
        try ExportSamples.link("Bag", 1, "things", to: [("Item", 3), ("Item", 5), ("Item", 6)], in: source)
        return source
    }

    @Test("Minimum counts bring the first objects that are missing, in order")
    func minimumCounts() throws {
        let source = try Self.boxStore()
        let box = try SubsetSample(of: source, [Selection("Box")])
        #expect(try box.keys == ["Box": [1], "Item": [2, 4]])
        #expect(try box.members("Box", "items") == [1: [4, 2]])
        #expect(try box.findings == [])
        // An optional relationship may be empty.
        #expect(try SubsetSample(of: source, [Selection("Bag")]).keys == ["Bag": [1]])
        // With one object it must have two.
        let both = try SubsetSample(of: source, [Selection("Bag"), Selection("Box")]) { $0.depth = 0 }
        #expect(try both.keys == ["Bag": [1], "Box": [1], "Item": [2, 4]])
        let item = try SubsetSample(
            of: source,
            [Selection("Bag"), Selection("Item", where: try ObjectPredicate("box == nil AND bags.@count == 1"))]
        )
        #expect(try item.keys["Item"] == [5, 6])
        #expect(try item.findings == [])
    }

    @Test("A dangling reference becomes NULL with a warning")
    func dangling() throws {
        let source = try ExportSamples.companyStore()
        try ExportSamples.insert("Customer", 9, ["name": "Di"], to: ["department": ("Department", 77)], into: source)
        let subset = try SubsetSample(of: source, [Selection("Customer", where: try ObjectPredicate("name == 'Di'"))])
        #expect(try subset.keys == ["Customer": [9]])
        #expect(try subset.findings == [])
        let warning = try #require(subset.report.warnings.first)
        #expect(subset.report.warningCount == 1 && warning.code == .relationshipNotFound)
        #expect(warning.description.contains("Customer.department: Customer/p9 refers to p77"), "\(warning)")
    }

    @Test("Broken rules of the source are kept, with warnings")
    func brokenRules() throws {
        let source = try ExportSamples.store(
            ManagedObjectModel(entities: [EntityDescription("Person", [.attribute("age", .integer16, .maximum(130))])]))
        try ExportSamples.insert("Person", 4, ["age": .integer(200)], into: source)
        let subset = try SubsetSample(of: source, [Selection("Person")])
        #expect(try subset.values("Person", "age") == [.integer(200)])
        #expect(subset.report.warnings.map(\.code) == [.valueTooLarge])
        #expect(subset.report.warnings.first?.message.contains("Person/p4") == true)
    }

    @Test(
        "Wrong options",
        arguments: [
            ("Persn", [], [], "did you mean \"Person\"?"), ("Person", ["Person.tags"], [], "to-many"),
            ("Person", ["Person.nobody"], [], "no such stored relationship"),
            ("Person", ["Person"], [], "ENTITY.PROPERTY"), ("Person", [], ["Person.nme"], "did you mean \"name\"?"),
            ("Person", [], ["Customer.vip"], "Boolean"), ("Person", [], ["Nobody.name"], "no entity"),
        ] as [(String, [String], [String], String)])
    func usage(_ entity: String, _ unfollowed: [String], _ anonymised: [String], _ message: String) throws {
        let source = try ExportSamples.companyStore()
        do {
            _ = try SubsetSample(of: source, [Selection(entity)]) {
                $0.unfollowedRelationships = unfollowed
                $0.anonymisedAttributes = anonymised
            }
            Issue.record("accepted")
        } catch let error as GranaryError {
            #expect(error.code == .usage && error.message.contains(message), "\(error)")
        }
    }

    @Test("A required relationship is always followed, and a selection is needed")
    func required() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.toOne("b", "B", inverse: nil, .required)]), EntityDescription("B", []),
        ])
        let source = try Self.store(model, [("B", 3, [:]), ("A", 1, ["b": ("B", 3)])])
        #expect(try SubsetSample(of: source, [Selection("A")]).keys == ["A": [1], "B": [3]])
        let wrong: [(inout SubsetOptions) -> Void] = [
            { $0.unfollowedRelationships = ["A.b"] }, { $0.selections = [] }, { $0.depth = -1 },
        ]
        for change in wrong {
            let error = #expect(throws: GranaryError.self) {
                _ = try SubsetSample(of: source, [Selection("A")], change)
            }
            #expect(error?.code == .usage)
        }
    }
}
