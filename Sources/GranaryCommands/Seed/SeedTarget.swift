import Foundation
import GranaryBase
import GranaryModel
import GranaryPersistence
import GranarySeeding

/// One store of a plan, and what goes into it.
final class SeedTarget {
    let plan: SeedPlan.StoreJobs
    let schema: Schema
    /// The store that gives a new store the names of its join tables; nil to use Granary's rule.
    let template: StoreTemplate?
    let importer: Importer
    /// Nil until ``open()``.
    private(set) var store: SQLiteStore?
    /// Whether the store is made now, and gets its name when all is in it.
    private(set) var isNew = false

    /// Whether this run created the store and has published it.
    var isNewAndPublished: Bool { isNew && store?.isPublished == true }

    private init(_ plan: SeedPlan.StoreJobs, _ schema: Schema, _ template: StoreTemplate?) {
        self.plan = plan
        self.schema = template?.schema ?? schema
        self.template = template
        importer = Importer(jobs: plan.jobs, run: plan.run)
    }

    /// The stores of a plan with their models, every import checked against its own before a store is opened or made.
    ///
    /// - Throws: ``GranaryError`` with all that the models do not have, each with its place in the plan.
    static func checked(_ stores: [SeedPlan.StoreJobs], plan: String) throws(GranaryError) -> [SeedTarget] {
        var targets: [SeedTarget] = []
        var problems: [Diagnostic] = []
        for store in stores {
            if store.models.isEmpty, !FileManager.default.fileExists(atPath: store.store) {
                throw GranaryError(
                    .usage, "\(plan): name the model: \(store.store) does not exist, so it carries none")
            }
            let schema = try StoreArgument.schemaForWriting(
                store.store, models: store.models, timeout: .seconds(store.busyTimeout ?? 5))
            let isNew = !FileManager.default.fileExists(atPath: store.store)
            let template = try (isNew ? store.like : nil).map { path throws(GranaryError) in
                try StoreTemplate(path: path, model: schema.model, busyTimeout: .seconds(store.busyTimeout ?? 5))
            }
            let target = SeedTarget(store, schema, template)
            problems += target.problems()
            targets.append(target)
        }
        if let first = problems.first {
            let message = problems.count == 1 ? first.message : "\(plan): the plan has \(problems.count) mistakes"
            throw GranaryError(.refused, message, diagnostics: problems)
        }
        return targets
    }

    private func problems() -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for job in plan.jobs {
            do throws(GranaryError) {
                try Importer(jobs: [job], run: plan.run).check(against: schema)
            } catch {
                var found = error.diagnostics
                if found.isEmpty { found = [Diagnostic(.planSyntax, error.message)] }
                for index in found.indices where found[index].position == nil {
                    found[index].position = job.origin ?? plan.position
                }
                problems += found
            }
        }
        for named in plan.namedEntities where schema.entity(named: named.name) == nil {
            problems.append(
                Diagnostic(
                    .planSyntax,
                    "say with entity what the rows of \(named.file) are: the model has no \"\(named.name)\"",
                    at: named.position))
        }
        return problems
    }

    /// Opens the store, or begins a new one under a temporary name, which goes with this object.
    func open() throws(GranaryError) {
        let timeout = Duration.seconds(plan.busyTimeout ?? 5)
        isNew = !FileManager.default.fileExists(atPath: plan.store)
        store =
            isNew
            ? try SQLiteStore.create(
                path: plan.store, schema: schema, busyTimeout: timeout, identifier: plan.identifier,
                like: template)
            : try StoreArgument.openForWriting(plan.store, schema: schema, timeout: timeout)
    }

    func opened() throws(GranaryError) -> SQLiteStore {
        guard let store else { throw GranaryError(.internalDefect, "\(plan.store) was not opened") }
        return store
    }
}
