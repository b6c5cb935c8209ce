public import Foundation
public import Granary
public import GranaryFixtures
public import XCTest

/// Containers with seeds for tests of XCTest, as the trait `.seeded` of GranaryTesting gives them to tests of Swift
/// Testing.
///
/// ```swift
/// final class PatientTests: XCTestCase {
///     func testCountsPatients() async throws {
///         let container = try await seededContainer(
///             model: model, .file(injuries, entity: "Injury"), .generated(["Patient": 100], randomSeed: 7))
///         let count = try await container.perform { try $0.count("Patient") }
///         XCTAssertEqual(count, 100)
///     }
/// }
/// ```
///
/// The store is built once in a test run: equal models, seeds and classes give clones of it. Call these functions in
/// `setUp() async throws` or in the test. The store is closed after the test. If the test has failed, a line on
/// standard error says which model and seeds it ran on and, if `GRANARY_KEEP_STORES` is set, where its store is kept.
extension XCTestCase {
    /// Returns a container with the model of a file and the objects of the seeds.
    ///
    /// - Parameters:
    ///   - model: a model of ``ManagedObjectModel/init(contentsOf:)``, such as `App.xcdatamodeld`.
    ///   - classes: subclasses of ``ManagedObject`` by the class names in the model.
    ///   - transformers: transformers for Transformable attributes; nil for the built-in ones. Tests share a fixture
    ///     only if they use the same transformers, such as those of a global constant.
    ///   - storage: where the store is.
    ///   - seeds: one import, in which references can point from one seed to an earlier or later one.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededContainer(
        model: URL, classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await container(
            of: Fixture(
                model: .file(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Returns a container with a model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededContainer(
        model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await container(
            of: Fixture(
                model: .value(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Returns a container with a generated model, its classes, and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededContainer(
        model: (some GeneratedModel).Type, transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        try await container(
            of: Fixture(
                model: .named(model.name, model.bundle), origin: .seeds(seeds), classes: model.classes,
                transformers: transformers, storage: storage))
    }

    /// Returns a container with a copy of an SQLite store, which is not changed.
    ///
    /// For `.temporaryFile`, the store must not be open in the test process.
    ///
    /// - Parameters:
    ///   - store: the store's file.
    ///   - model: the model; nil for the model that the store contains or, in memory, one that is inferred from its
    ///     tables.
    /// - Throws: ``GranaryError`` if the store cannot be read or copied.
    nonisolated(nonsending) public func seededContainer(
        from store: URL, model: ManagedObjectModel? = nil, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory
    ) async throws -> PersistentContainer {
        try await container(
            of: Fixture(
                model: model.map { Fixture.Model.value($0) }, origin: .store(store), classes: classes,
                transformers: transformers,
                storage: storage))
    }

    /// Returns a container with a store that was made for an older version of a model, got the objects of the seeds, and
    /// was migrated.
    ///
    /// - Parameters:
    ///   - model: a folder of versions, `.xcdatamodeld` or `.momd`.
    ///   - version: the name of the older version.
    ///   - newVersion: the name of the newer version; nil for the current one.
    ///   - options: what the migration may drop and fill in. By default it loses nothing.
    ///   - steps: what is not inferred.
    ///   - classes: subclasses of ``ManagedObject`` by the class names in the newer version.
    ///   - seeds: the objects, for the older version.
    /// - Throws: ``GranaryError`` with the diagnostics if a seed or the migration is refused.
    nonisolated(nonsending) public func migratedContainer(
        model: URL, from version: String, to newVersion: String? = nil,
        options: StoreMigrationOptions = StoreMigrationOptions(), steps: [MigrationStep] = [],
        classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) async throws -> PersistentContainer {
        let origin = Fixture.Origin.migrated(
            MigratedSeeds(model: model, from: version, to: newVersion, options: options, steps: steps, seeds: seeds))
        return try await container(
            of: Fixture(
                model: .file(model), origin: origin, classes: classes, transformers: transformers, storage: storage))
    }

    nonisolated(nonsending) private func container(of fixture: Fixture) async throws -> PersistentContainer {
        let clone = try await fixture.makeClone()
        endAfterTest(clone)
        return clone.container
    }

    /// Closes and removes a store after the test, or keeps it.
    func endAfterTest(_ store: any FixtureOfTest) {
        // A function type without `async`: XCTest also has a variant for asynchronous blocks.
        let end: () -> Void = { [weak self] in
            let hasFailed = (self?.testRun?.totalFailureCount ?? 0) > 0
            let folder = store.end(hasFailed: hasFailed)
            let name = self?.name ?? "a test"
            if hasFailed {
                KeptStores.note("\(name) failed: \(store.comment)")
            } else if let folder {
                KeptStores.note("the store of \(name) is kept in \(folder)")
            }
        }
        addTeardownBlock(end)
    }
}
