import Granary
import GranaryTesting
import Testing

private let cups = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string, .required)])])

/// One container for all tests of the suite. Each test adds a cup, and the last one to run finds those of the others.
@Suite(.serialized, .seeded(model: cups, .objects("Cup", 2, ["name": .sequence("C%d")])).shared)
struct SharedContainerTests {
    @Test("Tests of a suite see each other's changes in a shared container", arguments: 0..<3)
    func counts(number: Int) async throws {
        let container = try SeededContainer.current
        try await container.add(.objects("Cup", ["name": "Added"]))
        let count = try await container.perform { try $0.count("Cup") }
        #expect(count == 3 + number)
    }

    @Test("A shared trait applies to the suite as a whole")
    func recursive() {
        let trait = SeededContainerTrait.seeded(model: cups)
        #expect(trait.isRecursive)
        #expect(!trait.shared.isRecursive)
    }
}
