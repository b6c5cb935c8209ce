import Foundation
import TestSupport
import Testing

@testable import GranaryModel

/// The hashes of SwiftData's models: composites in particular, which the other vectors hardly have.
@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct SwiftDataHashTests {
    private struct File: Decodable {
        let vectors: [HashVectors.Vector]
    }

    private static func vectors() throws -> [HashVectors.Vector] {
        let url = try SharedFiles.url("coredata/swiftdata-vectors.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).vectors
    }

    @Test func everyVectorIsRecomputed() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 78)
        for vector in vectors {
            let schema = try SchemaBuilder(model: vector.model).build()
            #expect(schema.versionHashes[vector.entity]?.base64EncodedString() == vector.hash, "\(vector.entity)")
        }
    }

    /// The leaves of nested composites count as if they stood in one, whatever the names and the optionality between.
    @Test func nestingDoesNotCount() throws {
        var nested = 0
        for vector in try Self.vectors() {
            var model = vector.model
            for composite in model.composites where composite.elements.count > 2 {
                guard let index = model.composites.firstIndex(of: composite) else { continue }
                let half = composite.elements.count / 2
                let inner = CompositeDescription(
                    name: composite.name + "Inner", elements: Array(composite.elements[half...]))
                var element = AttributeDescription(name: "aaa", type: .composite)
                element.compositeName = inner.name
                element.isOptional = true
                model.composites[index].elements = [element] + composite.elements[..<half].reversed()
                model.composites.append(inner)
                nested += 1
            }
            let schema = try SchemaBuilder(model: model).build()
            #expect(schema.versionHashes[vector.entity]?.base64EncodedString() == vector.hash, "\(vector.entity)")
        }
        #expect(nested > 10)
    }
}
