public import Foundation
public import Granary
public import GranaryFixtures
public import Testing

extension Trait where Self == SeededContainerTrait {
    /// Gives the test a container with the model of a file and the objects of the seeds.
    ///
    /// If the model or a seed is refused, the test fails with the diagnostics.
    ///
    /// - Parameters:
    ///   - model: a model of ``ManagedObjectModel/init(contentsOf:)``, such as `App.xcdatamodeld`.
    ///   - classes: subclasses of ``ManagedObject`` by the class names in the model.
    ///   - transformers: transformers for Transformable attributes; nil for the built-in ones. Tests share a fixture
    ///     only if they use the same transformers, such as those of a global constant.
    ///   - storage: where the store is.
    ///   - seeds: one import, in which references can point from one seed to an earlier or later one.
    public static func seeded(
        model: URL, classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) -> Self {
        SeededContainerTrait(
            fixture: Fixture(
                model: .file(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Gives the test a container with a model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    public static func seeded(
        model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) -> Self {
        SeededContainerTrait(
            fixture: Fixture(
                model: .value(model), origin: .seeds(seeds), classes: classes, transformers: transformers,
                storage: storage))
    }

    /// Gives the test a container with a generated model, its classes, and the objects of the seeds:
    /// `.seeded(model: LibraryModel.self, .generated(["Book": 100]))`.
    ///
    /// - Parameters: as for the function with a model file.
    public static func seeded(
        model: (some GeneratedModel).Type, transformers: AttributeTransformers? = nil,
        storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) -> Self {
        SeededContainerTrait(
            fixture: Fixture(
                model: .named(model.name, model.bundle), origin: .seeds(seeds), classes: model.classes,
                transformers: transformers, storage: storage))
    }

    /// Gives the test a container with a copy of an SQLite store, which is not changed.
    ///
    /// For `.temporaryFile`, the store must not be open in the test process.
    ///
    /// - Parameters:
    ///   - store: the store's file.
    ///   - model: the model; nil for the model that the store contains or, in memory, one that is inferred from its
    ///     tables.
    public static func seeded(
        from store: URL, model: ManagedObjectModel? = nil, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory
    ) -> Self {
        SeededContainerTrait(
            fixture: Fixture(
                model: model.map { Fixture.Model.value($0) }, origin: .store(store), classes: classes,
                transformers: transformers,
                storage: storage))
    }

    /// Gives the test a container with a store that was made for an older version of a model, got the objects of the
    /// seeds, and was migrated.
    ///
    /// - Parameters:
    ///   - model: a folder of versions, `.xcdatamodeld` or `.momd`.
    ///   - version: the name of the older version.
    ///   - newVersion: the name of the newer version; nil for the current one.
    ///   - options: what the migration may drop and fill in. By default it loses nothing.
    ///   - steps: what is not inferred. Tests with steps do not share a fixture.
    ///   - classes: subclasses of ``ManagedObject`` by the class names in the newer version.
    ///   - seeds: the objects, for the older version.
    public static func migrated(
        model: URL, from version: String, to newVersion: String? = nil,
        options: StoreMigrationOptions = StoreMigrationOptions(), steps: [MigrationStep] = [],
        classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers? = nil, storage: FixtureStorage = .inMemory, _ seeds: Seed...
    ) -> Self {
        let origin = Fixture.Origin.migrated(
            MigratedSeeds(model: model, from: version, to: newVersion, options: options, steps: steps, seeds: seeds))
        return SeededContainerTrait(
            fixture: Fixture(
                model: .file(model), origin: origin, classes: classes, transformers: transformers, storage: storage))
    }
}
