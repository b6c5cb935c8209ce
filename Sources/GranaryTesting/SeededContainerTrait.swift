import Granary
import GranaryFixtures
public import Testing

/// Gives each test a separate container, which contains the objects of seeds.
///
/// ```swift
/// @Test(.seeded(model: model, .file(injuries, entity: "Injury"), .generated(["Patient": 100], randomSeed: 7)))
/// func countsPatients() async throws {
///     let count = try await SeededContainer.current.perform { try $0.count("Patient") }
///     #expect(count == 100)
/// }
/// ```
///
/// The store is built once in a test run: tests with equal models, seeds and classes get clones of it. Changes of one
/// test are not seen by another. Each case of a parameterised test has its own container.
///
/// A failed test says which model and seeds it ran on. If the environment variable `GRANARY_KEEP_STORES` is set, it
/// also says where its store is kept: `failed` keeps the stores of failed tests, `all` those of all tests.
public struct SeededContainerTrait: TestTrait, SuiteTrait, TestScoping {
    let fixture: Fixture
    /// What tells a shared trait from others; nil if the trait is not shared.
    private(set) var sharing: Sharing?

    /// Identifies a shared trait, also in its copies.
    final class Sharing: Sendable {}

    /// The suite whose tests share a container.
    private struct Scope: Sendable {
        let sharing: Sharing
        let failures: FixtureFailures
    }

    @TaskLocal private static var scope: Scope?

    init(fixture: Fixture) { self.fixture = fixture }

    /// The trait with one container for all tests of a suite: `@Suite(.seeded(model: model, …).shared)`.
    ///
    /// The tests see each other's saved changes, and run at the same time unless the suite is `.serialized`. Share a container
    /// whose objects the tests only read, if opening a clone for each of them takes too long. On a test, it changes nothing.
    public var shared: Self {
        var trait = self
        trait.sharing = Sharing()
        return trait
    }

    /// Makes the container, runs the test, and closes the container's store.
    ///
    /// - Throws: ``GranaryError`` if the model or a seed is refused. The test then fails with its diagnostics.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if let sharing, let scope = Self.scope, scope.sharing === sharing {
            // A suite or a test inside the suite with the trait.
            if test.isSuite { return try await function() }
            return try await scope.failures.watch(test, testCase, performing: function)
        }
        try await fixture.runTests { (fixture) throws in
            let clone = try await fixture.makeClone()
            let failures = FixtureFailures(of: clone) { SeededContainer.held === clone.container }
            defer { failures.end(test) }
            try await SeededContainer.$held.withValue(clone.container) {
                guard let sharing, test.isSuite else {
                    return try await failures.watch(test, testCase, performing: function)
                }
                // Each test of the suite is watched.
                try await Self.$scope.withValue(Scope(sharing: sharing, failures: failures)) { try await function() }
            }
            return failures
        }
    }

    /// The trait of a suite applies to each of its tests; a shared one to the suite, too. If a test has such a trait itself,
    /// the test gets the container of its own trait.
    public var isRecursive: Bool { true }

    /// The scope of a suite is that of the shared container.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        if test.isSuite { return sharing == nil ? nil : self }
        return testCase == nil ? nil : self
    }
}
