public import Foundation
import GranaryBase
public import GranaryFormats
public import GranaryGeneration
public import GranaryImport
public import GranaryRecords

/// Objects that a test's container contains from the start.
///
/// ```swift
/// .file(folder.appending(path: "patients.csv"), entity: "Patient")
/// .terms("Burn%Fracture", entity: "Injury", attribute: "name", ordinal: "key")
/// .plan(folder.appending(path: "seed.yaml"))
/// .generated(["Patient": 100], randomSeed: 7)
/// ```
///
/// The seeds of a test are one import, so that references can point from one seed to an earlier or later one. Objects
/// are generated after all records are imported. The import is all-or-nothing.
public struct Seed: Sendable {
    enum Content: Sendable {
        case job(Source, entity: String?, options: ImportOptions)
        case plan(URL, variables: [String: String])
        case generated([String: Int], GenerationOptions)
        /// One of these numbers is the random seed of each run of the test.
        case randomised([String: Int], GenerationOptions, ClosedRange<Int>)
        case objects(ObjectGroup)
    }

    /// A source that is opened when the fixture is built.
    enum Source: Sendable {
        case file(URL, SourceOptions)
        case text(String, DataFormat, SourceOptions)
        case terms(String, delimiter: String, attribute: String, ordinal: String?)
        /// The identity distinguishes it from all others, because sources cannot be compared.
        case other(ImportSource, identity: UUID)
    }

    let content: Content

    /// The records of a file: CSV, TSV, JSON, JSON Lines or a property list, also compressed with gzip.
    ///
    /// - Parameters:
    ///   - entity: the entity of the records; nil if the file names its entities, or is named after its entity.
    ///   - options: how to read fields, match objects and find the destinations of references.
    ///   - source: how to read the file; by default as its extension says.
    public static func file(
        _ url: URL, entity: String? = nil, options: ImportOptions = ImportOptions(),
        source: SourceOptions = SourceOptions()
    ) -> Seed { Seed(content: .job(.file(url, source), entity: entity, options: options)) }

    /// The records of a text in the test itself.
    ///
    /// - Parameters:
    ///   - entity: the entity of the records; nil if the text names its entities.
    ///   - options: how to read fields, match objects and find the destinations of references.
    ///   - source: how to read the text.
    public static func text(
        _ text: String, format: DataFormat, entity: String? = nil, options: ImportOptions = ImportOptions(),
        source: SourceOptions = SourceOptions()
    ) -> Seed { Seed(content: .job(.text(text, format, source), entity: entity, options: options)) }

    /// The terms of a constant table: an object for each term.
    ///
    /// - Parameters:
    ///   - attribute: the attribute that the terms are values of.
    ///   - ordinal: an integer attribute that receives the number of each term, from 0; nil for none.
    ///   - delimiter: the text between two terms.
    public static func terms(
        _ terms: String, entity: String, attribute: String, ordinal: String? = nil, delimiter: String = "%"
    ) -> Seed {
        let source = Source.terms(terms, delimiter: delimiter, attribute: attribute, ordinal: ordinal)
        return Seed(content: .job(source, entity: entity, options: ImportOptions()))
    }

    /// The records of any source, such as a reader of your own.
    ///
    /// Tests share a fixture with such a seed only if they use the same `Seed` value.
    ///
    /// - Parameter entity: the entity of the records; nil if the source names its entities.
    public static func source(
        _ source: ImportSource, entity: String? = nil, options: ImportOptions = ImportOptions()
    ) -> Seed { Seed(content: .job(.other(source, identity: UUID()), entity: entity, options: options)) }

    /// The imports and generated objects of all stores of a seed plan.
    ///
    /// The plan's models, stores and settings of the run (such as `mode` and `rejects`) are not used: all objects are
    /// in the test's store, whose model must have the entities. A plan that reads standard input is refused.
    ///
    /// - Parameter variables: values that override the plan's own `variables`.
    public static func plan(_ url: URL, variables: [String: String] = [:]) -> Seed {
        Seed(content: .plan(url, variables: variables))
    }

    /// Generated objects that satisfy the model (``Generator``).
    ///
    /// - Parameters:
    ///   - counts: the number of objects by entity. An entity's count does not include its subentities.
    ///   - randomSeed: the number from which all values are derived; nil for the number in `options`, by default 0.
    public static func generated(
        _ counts: [String: Int], randomSeed: UInt64? = nil, options: GenerationOptions = GenerationOptions()
    ) -> Seed {
        var options = options
        if let randomSeed { options.randomSeed = randomSeed }
        return Seed(content: .generated(counts, options))
    }

    /// Generated objects, with which the test runs once for each random seed, in their order, until it fails.
    ///
    /// The failure names the random seed, so that the test can be run with it alone. If several seeds of a test have random
    /// seeds, their ranges must be equal. Only the traits `.seeded` and `.seededStore` run a test several times.
    ///
    /// - Parameters:
    ///   - counts: the number of objects by entity. An entity's count does not include its subentities.
    ///   - randomSeeds: at most 10,000 numbers from 0. `Int`, because the compiler does not find `.generated` in the trait
    ///     of a test if the literals of a range have another type.
    public static func generated(
        _ counts: [String: Int], randomSeeds: ClosedRange<Int>, options: GenerationOptions = GenerationOptions()
    ) -> Seed { Seed(content: .randomised(counts, options, randomSeeds)) }
}

extension Seed {
    var randomSeeds: ClosedRange<Int>? { if case .randomised(_, _, let range) = content { range } else { nil } }

    /// The seed with one of its random seeds.
    func with(randomSeed number: UInt64) -> Seed {
        guard case .randomised(let counts, let options, _) = content else { return self }
        return .generated(counts, randomSeed: number, options: options)
    }
}

extension Seed: CustomStringConvertible {
    /// The kind of the seed and its name: `file patients.csv`.
    public var description: String {
        switch content {
        case .job(.file(let url, _), _, _): "file \(url.lastPathComponent)"
        case .job(.text, let entity, _): "text\(entity.map { " of \($0)" } ?? "")"
        case .job(.terms(_, _, let attribute, _), let entity, _): "terms of \(entity ?? "").\(attribute)"
        case .job(.other(let source, _), _, _): "source \(source.name)"
        case .plan(let url, _): "plan \(url.lastPathComponent)"
        case .objects(let group): "\(group)"
        case .generated(let counts, let options): Self.text(counts) + " with the random seed \(options.randomSeed)"
        case .randomised(let counts, _, let range):
            Self.text(counts) + " with the random seeds \(range.lowerBound)...\(range.upperBound)"
        }
    }

    private static func text(_ counts: [String: Int]) -> String {
        "generated " + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// A text that is equal for equal seeds.
    var key: String { ContentKey.text(of: content) }
}
