import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// As ``GeneratedRoundTripTests``, with more seeds.
@Suite struct GeneratedRoundTripLongTests {
    @Test(arguments: 0..<70)
    func `A restored store is the exported one`(_ ten: Int) throws {
        for seed in ten * 10..<ten * 10 + 2 {
            #expect(try GeneratedRoundTripTests.problems(seed: UInt64(seed)) == [])
        }
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
