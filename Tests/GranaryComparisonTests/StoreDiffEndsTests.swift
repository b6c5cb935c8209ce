import GranaryCoordination
import GranaryModel
import Testing
@testable import GranaryComparison
@testable import SeedingTestSupport

/// The sides of relationships: a changed link is one difference, whatever is compared.
@Suite struct StoreDiffEndsTests {
    private static let ports = ManagedObjectModel(entities: [
        EntityDescription("Port", [.attribute("name", .string), .toOne("wire", "Wire", inverse: "port")]),
        EntityDescription("Wire", [.attribute("name", .string), .toOne("port", "Port", inverse: "wire")]),
    ])

    /// Two ports and two wires, each with the number of its partner; 0 for none.
    private static func store(_ wires: [Int64], _ ports: [Int64]) throws -> InMemoryStore {
        let store = try ExportSamples.store(Self.ports)
        for (entity, name, other, partners) in [("Port", "wire", "Wire", wires), ("Wire", "port", "Port", ports)] {
            for (index, partner) in partners.enumerated() {
                try ExportSamples.insert(
                    entity, Int64(index + 1), to: partner == 0 ? [:] : [name: (other, partner)], into: store)
            }
        }
        return store
    }

    private typealias Partners = (wires: [Int64], ports: [Int64])

    private static let pairs: [(title: String, a: Partners, b: Partners, lines: [String])] = [
        ("exchanged", ([1, 2], [1, 2]), ([2, 1], [2, 1]), ["changed Port/p1: wire", "changed Port/p2: wire"]),
        ("moved", ([1, 0], [1, 0]), ([0, 1], [2, 0]), ["changed Port/p1: wire", "changed Port/p2: wire"]),
        ("replaced", ([1, 0], [1, 0]), ([2, 0], [0, 1]), ["changed Port/p1: wire"]),
        ("removed", ([1, 0], [1, 0]), ([0, 0], [0, 0]), ["changed Port/p1: wire"]),
        // Stored pairs can have one end only.
        ("removed at one end", ([1, 0], [1, 0]), ([0, 0], [1, 0]), ["changed Port/p1: wire"]),
        ("removed at the other end", ([1, 0], [1, 0]), ([1, 0], [0, 0]), ["changed Wire/p1: port"]),
        (
            "exchanged at the other end", ([1, 2], [1, 2]), ([1, 2], [2, 1]),
            ["changed Wire/p1: port", "changed Wire/p2: port"]
        ),
        ("another end beside one of its own", ([1, 0], [0, 0]), ([1, 1], [2, 0]), ["changed Port/p2: wire"]),
        ("no such object", ([1, 0], [1, 0]), ([1, 0], [9, 0]), ["changed Wire/p1: port"]),
    ]

    @Test(arguments: pairs.indices)
    func `A one-to-one relationship counts at one end, unless the ends contradict each other`(_ index: Int) throws {
        let (title, a, b, lines) = Self.pairs[index]
        let (first, second) = (try Self.store(a.wires, a.ports), try Self.store(b.wires, b.ports))
        #expect(try DiffRun.of(first, second).lines == lines, "\(title)")
        #expect(try DiffRun.of(second, first).lines == lines, "\(title), back")
    }

    @Test func `It counts at the compared end`() throws {
        let (first, second) = (try Self.store([1, 2], [1, 2]), try Self.store([2, 1], [2, 1]))
        for (entity, name) in [("Port", "wire"), ("Wire", "port")] {
            var options = StoreDiffOptions()
            options.entities = [entity]
            let lines = try DiffRun.of(first, second, options).lines
            #expect(lines == ["changed \(entity)/p1: \(name)", "changed \(entity)/p2: \(name)"])
        }
    }

    private static let sides: [(owner: (String, Int64, String), entities: [String], lines: [String])] = [
        (("Employee", 1, "tags"), [], ["changed Employee/p1: tags"]),
        (("Employee", 1, "tags"), ["Person", "Tag"], ["changed Employee/p1: tags"]),
        (("Employee", 1, "tags"), ["Tag"], ["changed Tag/p1: persons", "changed Tag/p2: persons"]),
        (("Department", 1, "staff"), [], ["changed Employee/p3: department"]),
        (("Department", 1, "staff"), ["Department"], ["changed Department/p1: staff"]),
        // Customers can be members too.
        (
            ("Department", 1, "staff"), ["Department", "Employee"],
            ["changed Department/p1: staff", "changed Employee/p3: department"]
        ),
    ]

    @Test(arguments: sides.indices)
    func `The determined side is compared if the other one is not`(_ index: Int) throws {
        let (owner, entities, lines) = Self.sides[index]
        let (first, second) = (try ExportSamples.companyStore(), try ExportSamples.companyStore())
        try ExportSamples.link(owner.0, owner.1, owner.2, to: [], in: second)
        var options = StoreDiffOptions()
        options.entities = entities
        #expect(try DiffRun.of(first, second, options).lines == lines)
    }
}
