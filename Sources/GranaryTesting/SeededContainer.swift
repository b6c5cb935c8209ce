public import Foundation
public import Granary
public import Testing

/// Records that a test's container contains from the start.
///
/// ```swift
/// Seed("Coffee", from: folder.appending(path: "coffee.csv"))
/// Seed("Injury", from: .terms("Burn%Fracture", delimiter: "%", attribute: "name", ordinal: "key"))
/// ```
public struct Seed: Sendable {
    let job: ImportJob

    /// Creates a seed from a file: CSV, TSV, JSON, JSON Lines or a property list, according to its extension.
    ///
    /// - Parameter entity: the entity of the records; nil if the file names its entities.
    public init(_ entity: String?, from file: URL, options: ImportOptions = ImportOptions()) {
        self.init(entity, from: .file(file), options: options)
    }

    /// Creates a seed from any source, such as a constant table.
    ///
    /// - Parameter entity: the entity of the records; nil if the source names its entities.
    public init(_ entity: String?, from source: ImportSource, options: ImportOptions = ImportOptions()) {
        job = ImportJob(entity: entity, sources: [source], options: options)
    }
}

/// Gives each test a separate container in memory, which contains the objects of seeds.
///
/// ```swift
/// @Test(.seeded(modelAt: folder.appending(path: "Triage.xcdatamodeld"), with: Seed("Injury", from: injuries)))
/// func countsInjuries() async throws {
///     let count = try await SeededContainer.current.perform { try $0.fetchAll("Injury").count }
///     #expect(count == 8)
/// }
/// ```
public struct SeededContainerTrait: TestTrait, SuiteTrait, TestScoping {
    let model: @Sendable () throws -> ManagedObjectModel
    let seeds: [Seed]

    /// Creates the container, imports the seeds in order, and runs the test.
    ///
    /// - Throws: ``GranaryError`` if the model or a seed is refused. The test then fails with its diagnostics.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let container = try PersistentContainer(model: model(), store: .inMemory)
        for seed in seeds { _ = try await Importer(jobs: [seed.job]).run(into: container) }
        try await SeededContainer.$held.withValue(container) { try await function() }
    }

    /// True: on a suite, the trait applies to each of its tests.
    public var isRecursive: Bool { true }
}

extension Trait where Self == SeededContainerTrait {
    /// Gives the test a container in memory with a model and the objects of the seeds.
    public static func seeded(model: ManagedObjectModel, with seeds: Seed...) -> Self {
        SeededContainerTrait(model: { model }, seeds: seeds)
    }

    /// Gives the test a container in memory with the model of a file and the objects of the seeds.
    ///
    /// If the model cannot be read, the test fails with the diagnostics.
    ///
    /// - Parameter url: a model of ``ManagedObjectModel/init(contentsOf:)``, such as `App.xcdatamodeld`.
    public static func seeded(modelAt url: URL, with seeds: Seed...) -> Self {
        SeededContainerTrait(model: { try ManagedObjectModel(contentsOf: url) }, seeds: seeds)
    }
}

/// The container of the current test.
public enum SeededContainer {
    @TaskLocal static var held: PersistentContainer?

    /// The container of the current test.
    ///
    /// - Throws: ``GranaryError`` with code `usage` outside a test with the trait `.seeded`.
    public static var current: PersistentContainer {
        get throws {
            guard let held else {
                throw GranaryError(.usage, "there is no container: the test does not have the trait .seeded")
            }
            return held
        }
    }
}
