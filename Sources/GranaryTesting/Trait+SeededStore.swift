public import Foundation
public import Granary
public import GranaryFixtures
public import Testing

extension Trait where Self == SeededStoreTrait {
    /// Gives the test a store file with the model of a file and the objects of the seeds: ``SeededStore/current``.
    ///
    /// If the model or a seed is refused, the test fails with the diagnostics.
    ///
    /// - Parameters:
    ///   - model: a model of ``ManagedObjectModel/init(contentsOf:)``, such as `App.xcdatamodeld`, or the folder of the
    ///     `@Model` sources of an app.
    ///   - transformers: transformers for Transformable attributes; nil for the built-in ones.
    ///   - seeds: one import, in which references can point from one seed to an earlier or later one.
    public static func seededStore(model: URL, transformers: AttributeTransformers? = nil, _ seeds: Seed...) -> Self {
        SeededStoreTrait(fixture: .file(.file(model), .seeds(seeds), transformers))
    }

    /// Gives the test a store file with a model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    public static func seededStore(
        model: ManagedObjectModel, transformers: AttributeTransformers? = nil, _ seeds: Seed...
    ) -> Self {
        SeededStoreTrait(fixture: .file(.value(model), .seeds(seeds), transformers))
    }

    /// Gives the test a store file with a generated model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    public static func seededStore(
        model: (some GeneratedModel).Type, transformers: AttributeTransformers? = nil, _ seeds: Seed...
    ) -> Self {
        SeededStoreTrait(fixture: .file(.named(model.name, model.bundle), .seeds(seeds), transformers))
    }

    /// Gives the test a copy of an SQLite store with its external files. The store is not changed, and must not be open in
    /// the test process.
    ///
    /// - Parameter model: the model; nil for the model that the store contains.
    public static func seededStore(from store: URL, model: ManagedObjectModel? = nil) -> Self {
        SeededStoreTrait(fixture: .file(model.map { .value($0) }, .store(store), nil))
    }
}
