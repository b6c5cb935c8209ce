import Granary
import GranaryTesting
import Testing

private let cups = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string, .required)])])

/// The trait on a suite: each of its tests has a container of its own.
@Suite("Seeded suites", .seeded(model: cups, .text("name\nA\nB\n", format: .csv, entity: "Cup")))
struct SeededSuiteTests {
    @Test("Changes of one test are not seen by another", arguments: 0..<3)
    func separateContainers(number: Int) async throws {
        let count = try await SeededContainer.current.perform { context in
            let count = try context.count("Cup")
            try context.insert(into: "Cup").setValue(.string("C\(number)"), forKey: "name")
            try context.save()
            return count
        }
        #expect(count == 2)
    }

    @Test("The trait applies to all tests of a suite")
    func recursive() { #expect(SeededContainerTrait.seeded(model: cups).isRecursive) }
}
