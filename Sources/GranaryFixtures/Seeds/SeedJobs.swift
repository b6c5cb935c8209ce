import Foundation
import GranaryBase
import GranaryFormats
import GranarySeeding

/// The jobs of an import and the objects to generate, which the seeds of a fixture describe.
struct SeedJobs {
    private(set) var jobs: [ImportJob] = []
    private(set) var generations: [GenerationRequest] = []

    /// - Throws: ``GranaryError`` if a plan cannot be read or has mistakes.
    init(_ seeds: [Seed]) throws(GranaryError) {
        for seed in seeds {
            switch seed.content {
            case .job(let source, let entity, let options):
                jobs.append(ImportJob(entity: entity, sources: [source.importSource(of: entity)], options: options))
            case .plan(let url, let variables): try add(SeedPlan(contentsOf: url, variables: variables))
            case .generated(let counts, let options):
                generations.append(GenerationRequest(counts: counts, options: options))
            }
        }
    }

    private mutating func add(_ plan: SeedPlan) throws(GranaryError) {
        for store in try plan.storeImports() {
            // A test would wait for input that nobody writes.
            guard !store.sourceNames.contains("<stdin>") else {
                throw GranaryError(.usage, "\(plan.file): the seeds of a test cannot read standard input")
            }
            jobs += store.jobs
            if let generation = store.run.generation { generations.append(generation) }
        }
    }
}

extension Seed.Source {
    func importSource(of entity: String?) -> ImportSource {
        switch self {
        case .file(let url, let options): .file(url, options: options)
        case .text(let text, let format, let options):
            .text(text, format: format, name: "<text\(entity.map { " of \($0)" } ?? "")>", options: options)
        case .terms(let terms, let delimiter, let attribute, let ordinal):
            .terms(
                terms, delimiter: delimiter, attribute: attribute, ordinal: ordinal,
                name: "<terms of \(entity ?? "").\(attribute)>")
        case .other(let source, _): source
        }
    }
}
