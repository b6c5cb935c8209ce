import Foundation
import Granary
import GranaryTesting
import Testing

/// The project's samples take the place of a folder with the app's fixtures.
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

private let triage = samples.appending(path: "Triage/Triage.xcdatamodeld")

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

    @Test(
        .seeded(
            modelAt: triage,
            with: Seed("Injury", from: .terms("Burn%Fracture", delimiter: "%", attribute: "name", ordinal: "key"))))
    func modelFileAndConstantTable() async throws {
        let names = try await SeededContainer.current.perform { context in
            var request = FetchRequest("Injury")
            request.sortDescriptors = [ObjectSortDescriptor("key")]
            return try context.fetch(request).map { try $0.string(forKey: "name") }
        }
        #expect(names == ["Burn", "Fracture"])
    }

    @Test func missingModelFileFailsTheTest() async throws {
        let test = try #require(Test.current)
        let missing = SeededContainerTrait.seeded(modelAt: samples.appending(path: "Missing.xcdatamodeld"))
        let error = await #expect(throws: GranaryError.self) {
            try await missing.provideScope(for: test, testCase: nil) { Issue.record("the test ran without a model") }
        }
        #expect(error?.code == .unreadable)
    }

    @Test func outsideTheTraitThereIsNoContainer() {
        #expect(throws: GranaryError.self) { try SeededContainer.current }
    }
}
