import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Stores with SwiftData's forms of values are exported and restored: the stores are equal, and so are the bytes.
@Suite struct SwiftDataRestoreTests {
    /// Bytes that are JSON text, nearly JSON text, or anything.
    static func bytes(_ json: inout RandomJSON) -> Data {
        let text = json.text(depth: 4)
        switch Int.random(in: 0..<8, using: &json.random) {
        case 0: return Data((text + " ").utf8)
        case 1: return Data(#"{"a":\#(text),"a":1}"#.utf8)
        case 2: return Data(text.utf8.dropLast())
        case 3: return Data((0..<9).map { _ in UInt8.random(in: 0...255, using: &json.random) })
        default: return Data(text.utf8)
        }
    }

    static func store(seed: UInt64, in folder: TemporaryFolder) throws -> SQLiteStore {
        var json = RandomJSON(random: SeededGenerator(seed: seed))
        let schema = try SwiftDataModel.model().resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "First.sqlite").path, schema: schema)
        func some(_ values: [String]) -> AttributeValue? {
            (values + [nil]).randomElement(using: &json.random).flatMap { $0 }.map { .string($0) }
        }
        for key in 1...Int64(8) {
            var values: [String: AttributeValue] = ["name": .string("n\(key)")]
            values["glass"] = some(SwiftDataModel.glasses)
            values["spec"] = some(SwiftDataModel.cases)
            values["profile.origin"] = some(["old", "new"])
            values["profile.mood"] = .integer(key)
            values["tags"] = .binary(bytes(&json))
            values["profile.steps"] = .binary(bytes(&json))
            values["photo"] = .binary(Data("[1]".utf8))
            try ExportSamples.insert("Cocktail", key, values, into: store)
        }
        return store
    }

    static func problems(seed: UInt64) throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try store(seed: seed, in: folder)
        return try RestoreFormat.allCases.flatMap { format in
            try RestoreRun.problems(of: store, format, reference: nil, in: folder).map {
                "seed \(seed), \(format.rawValue): \($0)"
            }
        }
    }

    @Test(arguments: [0, 1])
    func `A restored store is the exported one`(_ seed: Int) throws {
        #expect(try Self.problems(seed: UInt64(seed)) == [])
    }
}

@Suite struct SwiftDataRestoreLongTests {
    @Test(arguments: 0..<20)
    func `A restored store is the exported one`(_ ten: Int) throws {
        for seed in ten * 10..<ten * 10 + 10 {
            #expect(try SwiftDataRestoreTests.problems(seed: UInt64(seed) + 2) == [])
        }
    }
}
