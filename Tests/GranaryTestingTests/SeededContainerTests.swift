import Foundation
import Granary
import GranaryTesting
import Testing

/// A project's own folder of samples serves as the app's.
private let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "samples")

private let coffee = ManagedObjectModel(entities: [
    EntityDescription(
        "Coffee",
        [
            .attribute("name", .string, .required, .indexed),
            .attribute("brand", .string, .required, .indexed),
            .attribute("rating", .decimal),
        ])
])

@Suite struct SeededContainerTests {
    @Test(.seeded(model: coffee, with: Seed("Coffee", from: samples.appending(path: "Coffee/coffee.csv"))))
    func testFindsSeedsInItsContainer() async throws {
        let names = try await SeededContainer.current.perform { context in
            try context.fetchAll("Coffee").map { try $0.value(forKey: "name") }
        }
        #expect(names.count == 32)
        #expect(names.allSatisfy { $0 != nil })
    }

    @Test(.seeded(model: coffee))
    func testWithoutSeedsFindsNothing() async throws {
        let count = try await SeededContainer.current.perform { try $0.fetchAll("Coffee").count }
        #expect(count == 0)
    }

    @Test func outsideTheTraitThereIsNoContainer() {
        #expect(throws: GranaryError.self) { try SeededContainer.current }
    }
}
