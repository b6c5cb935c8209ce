public import Foundation
public import Granary
public import GranaryFixtures
public import XCTest

/// One container for all tests of a test case, as the trait `.seeded(…).shared` gives it to a suite of Swift Testing.
///
/// The tests see each other's saved changes. Share a container whose objects the tests only read. It stays open until the
/// tests end, and is not kept by `GRANARY_KEEP_STORES`.
extension XCTestCase {
    /// Returns the container of the test case with the model of a file and the objects of the seeds.
    ///
    /// - Parameters: as for `seededContainer`.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func sharedContainer(
        model: URL, classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await shared(
            Fixture(
                model: .file(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Returns the container of the test case with a model and the objects of the seeds.
    ///
    /// - Parameters: as for `seededContainer`.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func sharedContainer(
        model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await shared(
            Fixture(
                model: .value(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Returns the container of the test case with a generated model, its classes, and the objects of the seeds.
    ///
    /// - Parameters: as for `seededContainer`.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func sharedContainer(
        model: (some GeneratedModel).Type, transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await shared(
            Fixture(
                model: .named(model.name, model.bundle), origin: .seeds(seeds), classes: model.classes,
                transformers: transformers, storage: storage))
    }

    nonisolated(nonsending) private func shared(_ fixture: Fixture) async throws -> PersistentContainer {
        let clone = try await SharedClones.clone(of: fixture, for: type(of: self))
        let explain: () -> Void = { [weak self] in
            guard let self, (testRun?.totalFailureCount ?? 0) > 0 else { return }
            KeptStores.note("\(name) failed: \(clone.sharedComment)")
        }
        addTeardownBlock(explain)
        return clone.container
    }
}
