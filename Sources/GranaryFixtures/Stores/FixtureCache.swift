import Synchronization

/// The templates of this process. Tests that need the same template at the same time wait for one build.
package enum FixtureCache {
    private struct State {
        var builds: [Fixture.Key: Task<FixtureTemplate, any Error>] = [:]
        var counts: [Fixture.Key: Int] = [:]
    }

    private static let state = Mutex(State())

    /// Returns the template of a fixture, and builds it if no equal fixture was built before. A failed build is not
    /// repeated: each test gets its error.
    static func template(of fixture: Fixture) async throws -> FixtureTemplate {
        let build = state.withLock { state in
            if let build = state.builds[fixture.key] { return build }
            // Detached: neither the end of the first test nor its task-local values affect the build.
            let build = Task.detached { try await FixtureBuilder(fixture: fixture).build() }
            state.builds[fixture.key] = build
            state.counts[fixture.key, default: 0] += 1
            return build
        }
        return try await build.value
    }

    /// How often a fixture was built.
    package static func buildCount(of fixture: Fixture) -> Int {
        state.withLock { $0.counts[fixture.key] ?? 0 }
    }
}
