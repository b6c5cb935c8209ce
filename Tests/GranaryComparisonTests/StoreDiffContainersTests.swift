import Foundation
import GranaryBase
import GranaryComparison
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryModel
import GranaryPredicates
import Synchronization
import TestSupport
import Testing

/// The comparison of open containers.
@Suite struct StoreDiffContainersTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee", [.attribute("name", .string), .attribute("price", .integer64)], unique: [["name"]])
    ])

    private static func container(
        _ coffees: [(String, Int)], at store: StoreLocation = .inMemory
    ) async throws -> PersistentContainer {
        let container = try PersistentContainer(model: model, store: store)
        try await container.perform { context in
            for (name, price) in coffees {
                let coffee = try context.insert(into: "Coffee")
                try coffee.setValue(.string(name), forKey: "name")
                try coffee.setValue(.integer(Int64(price)), forKey: "price")
            }
            try context.save()
        }
        return container
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        static func of(_ a: ComparedStore, _ b: ComparedStore) async throws -> [String] {
            let lines = Lines()
            let summary = try await StoreDiff().run(a, b) { difference in
                lines.all.withLock { $0.append("\(difference.kind) \(difference.object.key)") }
            }
            let found = lines.all.withLock { $0 }
            #expect(summary.differences == found.count)
            return found
        }
    }

    @Test func `Containers, files and exports are compared in any combination`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "B.sqlite")
        let export = folder.url.appending(path: "B.json")
        let a = try await Self.container([("Java", 1), ("Sumatra", 2), ("Kona", 3)])
        let b = try await Self.container([("Sumatra", 2), ("Java", 5), ("Bourbon", 3)], at: .sqlite(file))
        try await Exporter().run(b, to: .file(export))
        let expected = try await Lines.of(.container(a), .container(b))
        #expect(expected.count == 3)
        for other in [ComparedStore.file(file), .file(export)] {
            #expect(try await Lines.of(.container(a), other) == expected)
            #expect(try await Lines.of(.container(b), other) == [])
        }
        let opposite = try await Lines.of(.container(b), .container(a))
        #expect(try await Lines.of(.file(export), .container(a)) == opposite)
        #expect(opposite.count == 3 && opposite != expected)
        // Both are free again.
        for container in [a, b] { #expect(try await container.perform { try $0.fetchAll("Coffee").count } == 3) }
    }

    @Test func `Unsaved changes are not compared`() async throws {
        let (a, b) = (try await Self.container([("Java", 1)]), try await Self.container([("Java", 1)]))
        let context = a.makeContext()
        try context.fetchAll("Coffee").first?.setValue(.integer(9), forKey: "price")
        #expect(try await Lines.of(.container(a), .container(b)) == [])
        try context.save()
        #expect(try await Lines.of(.container(a), .container(b)).count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `Comparisons in opposite directions do not wait for each other`() async throws {
        let (a, b) = (try await Self.container([("Java", 1)]), try await Self.container([("Java", 1)]))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                let (one, other) = number.isMultiple(of: 2) ? (a, b) : (b, a)
                group.addTask { try await StoreDiff().run(.container(one), .container(other)).isEqual }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
    }

    @Test func `The same container twice, one without stores and a missing file are refused`() async throws {
        let a = try await Self.container([])
        let empty = try PersistentContainer(name: "Empty", model: Self.model, descriptions: [])
        let missing = URL(filePath: "/nowhere/missing.sqlite")
        let cases: [(ComparedStore, ComparedStore, String)] = [
            (.container(a), .container(a), "A and B are the same"),
            (.container(a), .container(empty), "B: the container has no store"),
            (.container(empty), .container(a), "A: the container has no store"),
            (.container(a), .file(missing), "B: /nowhere"), (.file(missing), .container(a), "A: /nowhere"),
        ]
        for (one, other, message) in cases {
            let error = await #expect(throws: GranaryError.self) { try await StoreDiff().run(one, other) }
            #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        }
    }
}
