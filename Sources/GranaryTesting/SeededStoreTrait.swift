import Granary
import GranaryFixtures
public import Testing

/// Gives each test a store file of its own, which contains the objects of seeds and is not open.
///
/// ```swift
/// @Test(.seededStore(model: model, .generated(["Patient": 100], randomSeed: 7)))
/// func appOpensIt() throws {
///     let description = NSPersistentStoreDescription(url: try SeededStore.current.url)
///     …
/// }
/// ```
///
/// The store is built once in a test run, and each test gets a copy, which shares the blocks of the file where the file
/// system supports it. The test must close the store that it opens; the file is removed when the test ends. Failures are
/// as for ``SeededContainerTrait``.
public struct SeededStoreTrait: TestTrait, SuiteTrait, TestScoping {
    let fixture: Fixture

    /// Makes the file, runs the test, and removes the file.
    ///
    /// - Throws: ``GranaryError`` if the model or a seed is refused. The test then fails with its diagnostics.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await fixture.runTests { (fixture) throws in
            let file = try await fixture.makeFile()
            let failures = FixtureFailures(of: file) { SeededStore.held === file }
            defer { failures.end(test) }
            try await SeededStore.$held.withValue(file) {
                try await failures.watch(test, testCase, performing: function)
            }
            return failures
        }
    }

    /// True, so that the trait of a suite applies to each of its tests. If a test has such a trait too, the test gets the
    /// file of its own trait.
    public var isRecursive: Bool { true }
}
