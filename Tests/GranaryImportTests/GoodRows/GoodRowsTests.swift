import Testing
@testable import GranaryImport

@Suite struct GoodRowsTests {
    @Test func `Keep-good gives the store that the good rows alone give`() throws {
        try Self.check(0..<4, atLeast: 2)
    }

    /// - Parameter least: how many rows must be rejected, and accepted.
    static func check(_ seeds: Range<Int>, atLeast least: Int) throws {
        var (rejected, accepted) = (0, 0)
        for seed in seeds {
            let counts = try GoodRowsCheck(seed: seed).run()
            rejected += counts.rejected
            accepted += counts.accepted
        }
        // Both happen often enough to tell something.
        #expect(rejected > least && accepted > least, "\(rejected) \(accepted)")
    }
}

@Suite struct GoodRowsLongTests {
    @Test(arguments: 0..<20)
    func `Keep-good gives the store that the good rows alone give`(_ part: Int) throws {
        try GoodRowsTests.check(part * 10..<(part + 1) * 10, atLeast: 0)
    }
}
