public import Foundation
import GranaryBase
public import GranaryContexts
package import GranaryCoordination
public import GranaryGeneration
public import GranaryImport
public import GranaryModel

/// Generates objects that satisfy a model, for tests and demonstrations.
///
/// ```swift
/// var options = GenerationOptions()
/// options.randomSeed = 7
/// let generator = Generator(counts: ["Patient": 1000, "Responder": 40], options: options)
/// let report = try await generator.run(into: container)
/// ```
///
/// Values satisfy types, lengths, ranges, regular expressions, validation predicates and uniqueness constraints;
/// relationships satisfy their counts and inverses. Every value is checked with the model's validator before it is
/// written. Counts that the model cannot satisfy are refused, and nothing is written.
///
/// The result is deterministic: the same model, counts and options give the same objects on every machine. A value
/// depends on the seed number, its entity, its property and the object's number, so that the values of an entity do not
/// change if another entity is added. Unique values of a hierarchy share one sequence.
///
/// Objects are written in bulk. Validation and life-cycle methods of registered classes do not run.
public struct Generator: Sendable {
    /// The maximum number of objects of one run.
    public static let maximumCount = GenerationRequest.maximumCount

    /// The number of objects by entity. An entity's count does not include its subentities.
    public var counts: [String: Int]
    /// How values are generated.
    public var options: GenerationOptions
    /// The options of the run. Only the dry run, the loader, the ledger and revertibility apply.
    public var run: ImportRunOptions

    /// Describes objects to generate.
    public init(
        counts: [String: Int], options: GenerationOptions = GenerationOptions(),
        run: ImportRunOptions = ImportRunOptions()
    ) {
        self.counts = counts
        self.options = options
        self.run = run
    }

    /// Adds objects to the stores of a container, in one transaction. Cancelling the task rolls everything back.
    ///
    /// - Throws: ``GranaryError``: `refused`, with entity, property and rule, if the model cannot be satisfied; `usage`
    ///   for unknown entities and attributes; `interrupted` after a cancellation; as reading and writing throw.
    @discardableResult
    public func run(into container: PersistentContainer) async throws -> GenerationReport {
        GenerationReport(try await Importer(jobs: [], run: importOptions).run(into: container))
    }

    /// Adds objects to an SQLite store file, which is created if it does not exist. A new file appears only if the
    /// generation succeeds.
    ///
    /// - Parameter model: nil for the model that the store contains.
    /// - Throws: as ``run(into:)``.
    @discardableResult
    public func run(into store: URL, model: ManagedObjectModel? = nil) async throws -> GenerationReport {
        GenerationReport(try await StoreImport(store: store, model: model, jobs: [], run: importOptions).run())
    }

    /// Adds objects to a store, in one transaction.
    package func run(into store: any StoreBackend) throws -> GenerationReport {
        GenerationReport(try Importer(jobs: [], run: importOptions).run(into: store))
    }

    /// The options of the import that generates the objects.
    package var importOptions: ImportRunOptions {
        var run = run
        run.generation = GenerationRequest(counts: counts, options: options)
        return run
    }
}
