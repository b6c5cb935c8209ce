import GranaryContexts
import GranaryCoordination
import StoreTestSupport
import Testing

@Suite("Nested performAndWait") struct NestedWorkTests {
    /// Which of two contexts to wait for, each inside the work of the one before.
    private static let nestings = ["aa", "aba", "abab", "abba", "abaab"]

    @Test("A context whose work is running can be used again inside it", arguments: StoreFactory.kinds, nestings)
    func nested(_ factory: StoreFactory, _ nesting: String) async throws {
        let container = try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Hooked.self])
        let (a, b) = (container.newBackgroundContext(), container.newBackgroundContext())
        let contexts = nesting.map { $0 == "a" ? a : b }
        try Self.insertInnermost(contexts[...])
        // The work of the outermost context is still one piece: what the inner ones inserted is there.
        let count = try contexts[contexts.count - 1].performAndWait { context in
            let count = context.insertedObjects.count
            try context.save()
            return count
        }
        #expect(count == 1)
        // Inside work that a queue has started by itself.
        try await a.perform { _ in try Self.insertInnermost(contexts[...]) }
        #expect(try contexts[contexts.count - 1].performAndWait { $0.insertedObjects.count } == 1)
        #expect(try container.makeContext().count("Person") == 1)
    }

    private static func insertInnermost(_ contexts: ArraySlice<BackgroundContext>) throws {
        guard let next = contexts.first else { return }
        let rest = contexts.dropFirst()
        try next.performAndWait { context in
            if rest.isEmpty { _ = try context.person("Ann") } else { try insertInnermost(rest) }
        }
    }
}
