import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import TestSupport
import Testing

@testable import GranarySeeding

/// Generated stores are exported, restored, compared, and exported again: the stores are equal, and so are the bytes.
@Suite struct GeneratedRoundTripTests {
    /// What is not the same after the round trips of a seed's store.
    static func problems(seed: UInt64) throws -> [String] {
        let folder = try TemporaryFolder()
        let generated = try GeneratedStore(seed: seed, in: folder)
        var problems: [String] = []
        for format in RestoreFormat.allCases where format != .xml || generated.isXML {
            problems += try RestoreRun.problems(
                of: generated.store, format, reference: generated.usesKeys ? nil : .id, in: folder
            ).map { "seed \(seed), \(format.rawValue): \($0)" }
        }
        return problems
    }

    @Test(arguments: 0..<15)
    func `A restored store is the exported one`(_ seed: Int) throws {
        #expect(try Self.problems(seed: UInt64(seed)) == [])
    }

    /// The generator makes what the tests are about.
    @Test func `The generated stores have broken rules, missing objects and every cardinality`() throws {
        var kinds: Set<String> = []
        var codes: Set<String> = []
        for seed in UInt64(0)..<40 {
            var random = SeededGenerator(seed: seed)
            for pair in GeneratedModel(hasKeys: seed % 4 >= 2, &random).pairs { kinds.insert("\(pair.kind)") }
            let folder = try TemporaryFolder()
            let generated = try GeneratedStore(seed: seed, in: folder)
            let path = RestoreFormat.json.path("first", in: folder)
            try RestoreFormat.json.export(generated.store, to: path, reference: generated.usesKeys ? nil : .id)
            var options = ImportOptions()
            options.restoresAsIs = true
            let job = ImportJob(entity: nil, sources: try RestoreFormat.json.sources(path), options: options)
            let store = InMemoryStore(schema: generated.store.schema)
            let report = try Importer(jobs: [job]).run(into: store)
            codes.formUnion(report.diagnostics.map(\.code.rawValue))
        }
        #expect(kinds.count == GeneratedModel.Kind.allCases.count)
        let expected: Set = [
            "value.missing", "value.tooShort", "value.tooLong", "value.pattern", "value.tooSmall", "value.tooLarge",
            "relationship.notFound", "relationship.tooMany",
        ]
        #expect(expected.isSubset(of: codes), "\(expected.subtracting(codes).sorted())")
    }
}
