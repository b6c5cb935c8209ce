import Foundation
import Granary
import TestSupport
import Testing

/// The comparison of stores through the public API.
@Suite("Comparing stores") struct StoreDiffTests {
    private let folder: TemporaryFolder
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee", [.attribute("name", .string, .required), .attribute("price", .integer32)], unique: [["name"]])
    ])

    init() throws { folder = try TemporaryFolder() }

    private func store(_ name: String, _ csv: String) async throws -> URL {
        let url = folder.url.appending(path: name)
        _ = try await Importer(entity: "Coffee", from: .text(csv, format: .csv)).run(into: url, model: Self.model)
        return url
    }

    @Test("Differences are reported one by one and counted")
    func differences() async throws {
        let first = try await store("A.sqlite", "name,price\nJava,3\nSumatra,4\nMocha,5\n")
        let second = try await store("B.sqlite", "name,price\nMocha,5\nSumatra,7\nKenya,1\n")
        let (stream, continuation) = AsyncStream.makeStream(of: ObjectDifference.self)
        let summary: StoreDiffSummary = try await StoreDiff().run(first, second) { continuation.yield($0) }
        continuation.finish()
        var found: [String] = []
        for await difference in stream {
            #expect(difference.object.entity == "Coffee" && difference.object.key.count == 1)
            found.append(difference.kind.rawValue)
            if difference.kind == .changed {
                #expect(difference.properties[0].a == .value(.integer(4)))
                #expect(difference.properties[0].b == .value(.integer(7)))
            }
        }
        #expect(found == ["onlyInA", "changed", "onlyInB"])
        #expect(summary.differences == 3 && !summary.isEqual && summary.schema.isEmpty)
        #expect(summary.entities.first?.same == 1)
        #expect(try await StoreDiff().run(first, first).isEqual)
    }
}
