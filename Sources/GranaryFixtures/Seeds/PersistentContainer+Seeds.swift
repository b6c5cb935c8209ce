import GranaryBase
public import GranaryContexts
import GranaryCoordination
import GranaryImport
import GranarySeedPlans

extension PersistentContainer {
    /// Adds the objects of seeds, such as those that one test needs besides the objects of its suite.
    ///
    /// ```swift
    /// try await SeededContainer.current.add(.objects("Patient", 2, ["age": 70]))
    /// ```
    ///
    /// The records are one import. Then each generation, and each description of objects, has transactions of its own; if one
    /// is refused, the objects of earlier ones stay.
    ///
    /// - Throws: ``GranaryError`` with the diagnostics if a seed is refused.
    public func add(_ seeds: Seed...) async throws { try await add(try SeedJobs(seeds)) }

    /// Imports all records in one transaction and generates objects at its end. Further objects are made in transactions of
    /// their own, because one transaction has the options of one generation.
    func add(_ seeds: SeedJobs) async throws {
        var run = ImportRunOptions()
        // Equal fixtures are equal stores, and a ledger would name the files of the test.
        run.keepsLedger = false
        var steps = seeds.steps[...]
        if case .generation(let request) = steps.first {
            run.generation = request
            steps.removeFirst()
        }
        if !seeds.jobs.isEmpty || run.generation != nil {
            _ = try await Importer(jobs: seeds.jobs, run: run).run(into: self)
        }
        for step in steps {
            switch step {
            case .generation(let request):
                run.generation = request
                _ = try await Importer(jobs: [], run: run).run(into: self)
            case .objects(let group): try await ObjectBuilder(container: self).build(group)
            }
        }
    }
}
