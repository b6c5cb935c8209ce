import Testing
@testable import GranaryImport

@Suite struct GoodRowsTests {
    @Test func `Keep-good gives the store that the good rows alone give`() throws {
        try Self.check(0..<4, atLeast: 2)
    }

    /// - Parameter least: how many rows must be refused, and accepted.
    static func check(_ seeds: Range<Int>, atLeast least: Int) throws {
        var (refused, accepted) = (0, 0)
        for seed in seeds {
            let counts = try GoodRowsCheck(seed: seed).run()
            refused += counts.refused
            accepted += counts.accepted
        }
        // Both happen often enough to tell something.
        #expect(refused > least && accepted > least, "\(refused) \(accepted)")
    }
}

@Suite struct GoodRowsLongTests {
    @Test(arguments: 0..<20)
    func `Keep-good gives the store that the good rows alone give`(_ part: Int) throws {
        try GoodRowsTests.check(part * 10..<(part + 1) * 10, atLeast: 0)
    }
}
