public import Foundation
public import Granary
public import Testing

/// What a test finds in its container: records of an entity, read from a file beside the tests.
public struct Seed: Sendable {
    let entity: String?
    let file: URL
    let options: ImportOptions

    /// Rows of a CSV file, objects of a JSON file or entries of a property list, as the file's extension says.
    ///
    /// - Parameter entity: what the records are; nil where the file names its entities itself.
    public init(_ entity: String?, from file: URL, options: ImportOptions = ImportOptions()) {
        self.entity = entity
        self.file = file
        self.options = options
    }
}

/// Hands a test a container of its own, in memory, with objects in it.
///
/// ```swift
/// @Test(.seeded(model: model, with: Seed("Injury", from: folder.appending(path: "injuries.csv"))))
/// func countsInjuries() async throws {
///     let count = try await SeededContainer.current.perform { try $0.fetchAll("Injury").count }
///     #expect(count == 8)
/// }
/// ```
public struct SeededContainerTrait: TestTrait, SuiteTrait, TestScoping {
    let model: ManagedObjectModel
    let seeds: [Seed]

    /// Makes the container and runs the test with it.
    ///
    /// - Throws: ``GranaryError`` when the model or a seed is refused: the test then fails with its diagnostics.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let container = try PersistentContainer(model: model, store: .inMemory)
        for seed in seeds { try await seed.load(into: container) }
        try await SeededContainer.$held.withValue(container) { try await function() }
    }

    /// A suite passes the trait on: each of its tests gets a container of its own.
    public var isRecursive: Bool { true }
}

extension Trait where Self == SeededContainerTrait {
    /// A container in memory with the model's entities and the seeds' objects.
    public static func seeded(model: ManagedObjectModel, with seeds: Seed...) -> Self {
        SeededContainerTrait(model: model, seeds: seeds)
    }
}

/// The container of the test that is running.
public enum SeededContainer {
    @TaskLocal static var held: PersistentContainer?

    /// - Throws: ``GranaryError`` with code `usage` outside a test that carries `.seeded`.
    public static var current: PersistentContainer {
        get throws {
            guard let held else {
                throw GranaryError(.usage, "there is no container: the test does not carry the trait .seeded")
            }
            return held
        }
    }
}

extension Seed {
    func load(into container: PersistentContainer) async throws {
        _ = try await Importer(entity: entity, from: .file(file), options: options).run(into: container)
    }
}
