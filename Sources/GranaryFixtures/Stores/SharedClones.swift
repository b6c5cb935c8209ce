import Synchronization

/// The containers that all tests of a test case use.
package enum SharedClones {
    private struct Key: Hashable {
        let owner: ObjectIdentifier
        let fixture: Fixture.Key
    }

    private static let clones = Mutex<[Key: Task<FixtureClone, any Error>]>([:])

    /// Returns the one clone of a fixture for an owner, such as a test case. It stays open until the process ends.
    ///
    /// - Throws: as ``Fixture/makeClone()``.
    package static func clone(of fixture: Fixture, for owner: Any.Type) async throws -> FixtureClone {
        let key = Key(owner: ObjectIdentifier(owner), fixture: fixture.key)
        let clone = clones.withLock { clones in
            if let clone = clones[key] { return clone }
            // Detached: neither the end of the first test nor its task-local values affect it.
            let clone = Task.detached { try await fixture.makeClone() }
            clones[key] = clone
            return clone
        }
        return try await clone.value
    }
}
