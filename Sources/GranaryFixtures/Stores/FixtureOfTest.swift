/// What one test has of a fixture: an open container, or a file.
package protocol FixtureOfTest: AnyObject, Sendable {
    var fixture: Fixture { get }
    /// Which stores are kept.
    var keeping: KeptStores { get }
    /// The folder to which the store is moved if it is kept.
    var keptFolder: String { get }

    /// Closes and removes the store, or keeps it.
    ///
    /// - Returns: the folder with the kept store; nil if it is not kept.
    @discardableResult
    func end(hasFailed: Bool) -> String?
}

extension FixtureOfTest {
    /// The comment on a failure of a test that shares the store with others.
    package var sharedComment: String {
        "the test ran on the fixture with \(fixture), which it shares with the other tests of its test case"
    }

    /// The comment on a failure of the test: the fixture, and where the store is kept.
    package var comment: String {
        let kept = keeping == .none ? "" : "; its store is kept in \(keptFolder)"
        return "the test ran on the fixture with \(fixture)\(kept)"
    }

    func isKept(hasFailed: Bool) -> Bool { keeping == .all || keeping == .failed && hasFailed }
}
