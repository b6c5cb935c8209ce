import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranarySwiftData

/// The version hashes of public SwiftData apps, from sources that are written from the vectors.
@Suite(
    .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
    .enabled(if: SwiftDataSupport.isToolThere, "\(SwiftDataSupport.absence)"))
struct SwiftDataVectorTests {
    private struct Vectors: Decodable {
        struct Vector: Decodable {
            let entity: String
            let hash: String
            let definition: [VectorSource.Entity]
        }

        struct Worked: Decodable {
            let id: String
            let swift: String
            let expected: [String: String]
        }

        struct Schema: Decodable {
            let `case`: String
            let entities: [String: String]
            let digest: String?
            let checksum: String?
        }

        let vectors: [Vector]
        let worked: [Worked]
        let schemas: [Schema]
    }

    private static func vectors() throws -> Vectors {
        let url = try SharedFiles.url("coredata/swiftdata-vectors.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
    }

    @Test func eachVectorIsPredictedFromItsSource() throws {
        let vectors = try Self.vectors().vectors
        // One run of the tool for all of them.
        let folder = try TemporaryFolder()
        var texts: [String] = []
        for (index, vector) in vectors.enumerated() {
            var source = VectorSource(try #require(vector.definition.last))
            texts.append(source.text())
            _ = try folder.write("enum Case\(index) {\n\(texts[index])}\n", to: "Case\(index).swift")
        }
        let sources = try SwiftDataSources(paths: [folder.url.path(percentEncoded: false)])
        for (index, vector) in vectors.enumerated() {
            var options = SwiftDataOptions()
            options.modelClasses = ["Case\(index).\(vector.entity)"]
            let hashes: [String: String]
            do {
                hashes = try SwiftDataSupport.hashes(
                    try sources.model(Self.withoutInference(options, vector.definition, index)))
            } catch let error as GranaryError {
                Issue.record("\(error.diagnostics.map(SwiftDataSupport.text))\n\(texts[index])")
                continue
            }
            #expect(hashes[vector.entity] == vector.hash, "\(texts[index])")
        }
        #expect(vectors.count > 70)
    }

    /// A vector without an inverse says so; whether SwiftData infers it is not its subject.
    private static func withoutInference(
        _ options: SwiftDataOptions, _ definition: [VectorSource.Entity], _ index: Int
    ) -> SwiftDataOptions {
        var options = options
        for property in definition.last?.properties ?? [] where property.kind == "rel" && property.inverse == nil {
            options.inverses["\(definition.last?.name ?? "").\(property.name)"] = "none"
        }
        return options
    }

    @Test func theWorkedVectorsAreReadAsTheyStand() throws {
        for worked in try Self.vectors().worked {
            let hashes: [String: String]
            do {
                hashes = try SwiftDataSupport.hashes(try SwiftDataSupport.model(worked.swift))
            } catch let error as GranaryError {
                Issue.record(
                    "\(worked.id): \(error.message) \(error.diagnostics.map(SwiftDataSupport.text))\n\(worked.swift)")
                continue
            }
            for (entity, hash) in worked.expected { #expect(hashes[entity] == hash, "\(worked.id) \(entity)") }
        }
    }
}
