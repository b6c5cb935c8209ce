import Foundation
import GranaryBase
import GranaryFormats
import GranaryGeneration
import GranaryImport
import GranarySeedPlans
import GranaryRecords

/// What the seeds of a fixture describe: the jobs of one import, and the objects that are made after it.
struct SeedJobs {
    /// Objects that are made without a source.
    enum Step {
        case generation(GenerationRequest)
        case objects(ObjectGroup)
    }

    private(set) var jobs: [ImportJob] = []
    /// In the order of the seeds.
    private(set) var steps: [Step] = []

    /// - Throws: ``GranaryError`` if a plan cannot be read or has mistakes.
    init(_ seeds: [Seed]) throws(GranaryError) {
        for seed in seeds {
            switch seed.content {
            case .job(let source, let entity, let options):
                jobs.append(ImportJob(entity: entity, sources: [source.importSource(of: entity)], options: options))
            case .plan(let url, let variables): try add(SeedPlan(contentsOf: url, variables: variables))
            case .generated(let counts, let options):
                add(GenerationRequest(counts: counts, options: options))
            case .randomised:
                throw GranaryError(
                    .usage,
                    "only the traits .seeded and .seededStore run a test with several random seeds; elsewhere, write a "
                        + "loop over randomSeed:")
            case .objects(let group): steps.append(.objects(group))
            }
        }
    }

    private mutating func add(_ plan: SeedPlan) throws(GranaryError) {
        for store in try plan.storeImports() {
            // A test would wait for input that nobody writes.
            guard !store.sourceNames.contains("<stdin>") else {
                throw GranaryError(.usage, "\(plan.file): the seeds of a test cannot read standard input")
            }
            guard store.subsets.isEmpty else {
                throw GranaryError(
                    .usage,
                    "\(plan.file): the seeds of a test cannot take subsets; run the plan with `granary seed`, and give the "
                        + "test a copy of its store with .seeded(from:)")
            }
            jobs += store.jobs
            if let generation = store.run.generation { add(generation) }
        }
    }

    /// Generations with equal options are one, so that their objects can refer to each other in any order.
    private mutating func add(_ request: GenerationRequest) {
        let options = ContentKey.text(of: request.options)
        for (index, step) in steps.enumerated() {
            guard case .generation(var earlier) = step, ContentKey.text(of: earlier.options) == options else {
                continue
            }
            Self.merge(request, into: &earlier)
            steps[index] = .generation(earlier)
            return
        }
        steps.append(.generation(request))
    }

    private static func merge(_ request: GenerationRequest, into earlier: inout GenerationRequest) {
        earlier.counts.merge(request.counts) { first, second in
            // A negative or too large count stays one, which the generator refuses.
            guard first >= 0, second >= 0 else { return min(first, second) }
            // Such counts are the numbers of objects that there are in the end.
            if request.options.fillsUp { return max(first, second) }
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? Int.max : sum
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
