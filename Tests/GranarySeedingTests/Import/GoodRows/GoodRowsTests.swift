import Testing

@testable import GranarySeeding

@Suite struct GoodRowsTests {
    @Test(arguments: 0..<2)
    func `Keep-good gives the store that the good rows alone give`(_ part: Int) throws {
        var (refused, accepted) = (0, 0)
        for seed in part * 10..<(part + 1) * 10 {
            let counts = try GoodRowsCheck(seed: seed).run()
            refused += counts.refused
            accepted += counts.accepted
        }
        // Both happen often enough to tell something.
        #expect(refused > 15 && accepted > 15, "\(refused) \(accepted)")
    }
}

@Suite struct GoodRowsLongTests {
    @Test(arguments: 0..<40)
    func `Keep-good gives the store that the good rows alone give`(_ part: Int) throws {
        for seed in part * 50..<(part + 1) * 50 { _ = try GoodRowsCheck(seed: seed).run() }
    }
}
