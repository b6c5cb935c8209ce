public import Foundation
public import Granary
public import GranaryFixtures
public import XCTest

/// Store files for tests of XCTest that open them themselves, such as with Apple's `NSPersistentContainer`.
///
/// ```swift
/// func testTheAppOpensIt() async throws {
///     let url = try await seededStore(model: model, .generated(["Patient": 100], randomSeed: 7))
///     let description = NSPersistentStoreDescription(url: url)
///     …
/// }
/// ```
///
/// The store is built once in a test run, and each call copies its file. The file is not open, and is removed after the
/// test.
extension XCTestCase {
    /// Returns a store file with the model of a file and the objects of the seeds.
    ///
    /// - Parameters:
    ///   - model: a model of ``ManagedObjectModel/init(contentsOf:)``, such as `App.xcdatamodeld`, or the folder of the
    ///     `@Model` sources of an app.
    ///   - transformers: transformers for Transformable attributes; nil for the built-in ones.
    ///   - seeds: one import, in which references can point from one seed to an earlier or later one.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededStore(
        model: URL, transformers: AttributeTransformers? = nil, _ seeds: Seed...
    ) async throws -> URL {
        try await file(of: .file(.file(model), .seeds(seeds), transformers))
    }

    /// Returns a store file with a model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededStore(
        model: ManagedObjectModel, transformers: AttributeTransformers? = nil, _ seeds: Seed...
    ) async throws -> URL {
        try await file(of: .file(.value(model), .seeds(seeds), transformers))
    }

    /// Returns a store file with a generated model and the objects of the seeds.
    ///
    /// - Parameters: as for the function with a model file.
    /// - Throws: ``GranaryError`` with the diagnostics if the model or a seed is refused.
    nonisolated(nonsending) public func seededStore(
        model: (some GeneratedModel).Type, transformers: AttributeTransformers? = nil, _ seeds: Seed...
    ) async throws -> URL {
        try await file(of: .file(.named(model.name, model.bundle), .seeds(seeds), transformers))
    }

    /// Returns a copy of an SQLite store with its external files. The store is not changed, and must not be open in the
    /// test process.
    ///
    /// - Parameter model: the model; nil for the model that the store contains.
    /// - Throws: ``GranaryError`` if the store cannot be read or copied.
    nonisolated(nonsending) public func seededStore(
        from store: URL, model: ManagedObjectModel? = nil
    ) async throws -> URL {
        try await file(of: .file(model.map { .value($0) }, .store(store), nil))
    }

    nonisolated(nonsending) private func file(of fixture: Fixture) async throws -> URL {
        let file = try await fixture.makeFile()
        endAfterTest(file)
        return file.url
    }
}
