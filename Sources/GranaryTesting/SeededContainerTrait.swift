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
    private(set) var isShared = false

    init(fixture: Fixture) { self.fixture = fixture }

    /// The trait with one container for all tests of a suite: `@Suite(.seeded(model: model, …).shared)`.
    ///
    /// The tests see each other's saved changes, and run at the same time unless the suite is `.serialized`. Share a container
    /// whose objects the tests only read, if opening a clone for each of them takes too long. On a test, it changes nothing.
    public var shared: Self {
        var trait = self
        trait.isShared = true
        return trait
    }

    /// Makes the container, runs the test, and closes the container's store.
    ///
    /// - Throws: ``GranaryError`` if the model or a seed is refused. The test then fails with its diagnostics.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await fixture.runTests { (fixture) throws in
            let clone = try await fixture.makeClone()
            let failures = FixtureFailures(of: clone) { SeededContainer.held === clone.container }
            defer { failures.end(test) }
            try await SeededContainer.$held.withValue(clone.container) {
                try await failures.watch(test, testCase, performing: function)
            }
            return failures
        }
    }

    /// True, so that the trait of a suite applies to each of its tests, unless it is ``shared``. If a test has such a trait
    /// too, the test gets the container of its own trait.
    public var isRecursive: Bool { !isShared }
}
