import TestSupport
import Testing

@testable import GranarySeeding

/// As ``GeneratedRoundTripTests``, with more seeds.
@Suite struct GeneratedRoundTripLongTests {
    @Test(arguments: 10..<70)
    func `A restored store is the exported one`(_ ten: Int) throws {
        for seed in ten * 10..<ten * 10 + 10 {
            #expect(try GeneratedRoundTripTests.problems(seed: UInt64(seed)) == [])
        }
    }
}
