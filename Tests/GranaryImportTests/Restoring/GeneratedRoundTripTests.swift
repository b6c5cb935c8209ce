import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

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

    @Test(arguments: [0, 3])
    func `A restored store is the exported one`(_ seed: Int) throws {
        #expect(try Self.problems(seed: UInt64(seed)) == [])
    }
}
