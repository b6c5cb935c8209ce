import Testing

@Suite struct HostileInputLongTests {
    @Test func filesThatAreOnlyLargeAreRead() throws { try HostileInput.checkLargeFiles(size: 20_000) }

    @Test func filesThatNestTooDeepHaveAProblem() throws { try HostileInput.checkDeepFiles(size: 20_000) }
}
