import Foundation
import Granary
import GranaryTesting
import Testing

private let cups = ManagedObjectModel(entities: [
    EntityDescription("Cup", [.attribute("name", .string, .required), .attribute("size", .integer16)])
])

/// Snapshots beside this file, in `__Snapshots__/ExpectStoreTests`.
@Suite(.seeded(model: cups, .text("name,size\nA,2\nB,\n", format: .csv, entity: "Cup")))
struct ExpectStoreTests {
    @Test("An equal store passes")
    func equal() async throws {
        await expectStore(try SeededContainer.current, equals: "cups")
        await expectStore(try SeededContainer.current, equals: "cups without sizes", ignoring: ["Cup.size"])
    }

    @Test("Another store, a missing snapshot and a wrong name are failures")
    func failures() async throws {
        let container = try SeededContainer.current
        try await container.perform { context in
            try context.insert(into: "Cup").setValue("C", forKey: "name")
            try context.save()
        }
        // Such a run would write the wrong snapshots.
        if ProcessInfo.processInfo.environment["GRANARY_UPDATE"] != nil { return }
        await withKnownIssue {
            await expectStore(container, equals: "cups")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("+Cup/p3\n+  name: \"C\"") }
        }
        await withKnownIssue {
            await expectStore(container, equals: "no cups")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("there is no snapshot") }
        }
        await withKnownIssue {
            await expectStore(container, equals: "../cups")
        } matching: { issue in
            issue.error is GranaryError
        }
    }
}
