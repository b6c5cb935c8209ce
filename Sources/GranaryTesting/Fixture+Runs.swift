import GranaryFixtures

extension Fixture {
    /// Runs a test with each of the random seeds, in their order, until it fails. So the failure is that of the smallest one.
    ///
    /// - Parameter body: runs the test with one fixture.
    func runTests(_ body: (Fixture) async throws -> FixtureFailures) async throws {
        for fixture in try runs() {
            guard try await !body(fixture).hasFailed else { return }
        }
    }
}
