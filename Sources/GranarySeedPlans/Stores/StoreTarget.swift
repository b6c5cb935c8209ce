package import GranaryBase
package import GranaryCoordination
package import GranaryCoreDataStore
import GranaryGeneration
import GranaryImport
package import GranaryModel
import GranaryPostgreSQL
import GranaryRecords
import GranarySubset
import GranaryYAML

/// A store file with the imports that fill it, checked against its model.
package final class StoreTarget {
    /// The imports; those of the subsets too when the objects are taken.
    package private(set) var plan: StoreImport
    package let schema: Schema
    /// The store that determines the names of a new store's join tables; nil to use Granary's rule.
    package let template: StoreTemplate?
    var importer: Importer { Importer(jobs: plan.jobs, run: plan.run) }
    /// The objects of the subsets, in temporary files that are removed with this object.
    private var documents: [SubsetDocuments] = []
    /// Nil until ``open()``.
    private var store: (any StoreBackend)?
    /// Whether the run creates the store.
    package private(set) var isNew = false

    private var isPublished = false

    /// Whether this run created the store and has published it.
    var isNewAndPublished: Bool { isNew && isPublished }

    private init(_ plan: StoreImport, _ schema: Schema, _ template: StoreTemplate?) {
        self.plan = plan
        self.schema = template?.schema ?? schema
        self.template = template
    }

    /// Refuses a store that is written twice, and one that is also read: half of the import would be seen.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    package static func checkPlaces(_ imports: [StoreImport]) throws(GranaryError) {
        var stores = ProtectedFiles()
        for item in imports {
            if let conflict = stores.conflict(of: item.store) {
                throw GranaryError(.usage, "\(item.storeName) \(conflict); a run imports into a store once")
            }
            stores.add(item.store, as: "the store")
        }
        let databases = imports.flatMap(\.jobs).flatMap(\.sources).filter(\.isDatabase).map { ($0.name, $0.name) }
        for (path, name) in databases + imports.flatMap(\.subsets).map({ ($0.store, $0.storeName) }) {
            guard let conflict = stores.conflict(of: path) else { continue }
            throw GranaryError(
                .usage,
                "the source \(name) \(ConnectionText.isConnection(path) ? "is the store" : conflict); a run cannot read "
                    + "the store that it writes")
        }
    }

    /// Reads the models and checks each import against its model, before a store is opened or created. Then takes the
    /// subsets.
    ///
    /// - Parameters:
    ///   - plan: the name of the plan in messages; nil for imports without a plan.
    ///   - warnings: receives warnings about the models.
    /// - Throws: ``GranaryError`` with a diagnostic for each problem of the imports, and as a subset throws.
    package static func checked(
        _ imports: [StoreImport], plan: String?, warnings: inout [Diagnostic]
    ) throws -> [StoreTarget] {
        try checkPlaces(imports)
        var targets: [StoreTarget] = []
        var problems: [Diagnostic] = []
        for (index, item) in imports.enumerated() {
            var item = item
            item.run.outputPermissions = SQLiteStore.permissions(ofStore: item.store)
            for (place, other) in imports.enumerated() {
                item.run.protectedFiles.add(other.protectedFiles(withRejects: place != index))
            }
            let target = try StoreTarget(item, plan: plan, &warnings)
            if plan == nil { try target.importer.check(against: target.schema) }
            problems += try target.problems()
            targets.append(target)
        }
        try refuse(problems, plan)
        for target in targets { problems += try target.takeSubsets() }
        try refuse(problems, plan)
        return targets
    }

    private static func refuse(_ problems: [Diagnostic], _ plan: String?) throws(GranaryError) {
        guard let first = problems.first else { return }
        let message = problems.count == 1 ? first.message : "\(plan ?? ""): the plan has \(problems.count) mistakes"
        throw GranaryError(.refused, message, diagnostics: problems)
    }

    private convenience init(
        _ item: StoreImport, plan: String?, _ warnings: inout [Diagnostic]
    ) throws(GranaryError) {
        try item.checkPlace()
        let isNew = try !item.storeExists()
        var model = item.model
        if model == nil, !item.models.isEmpty {
            var found = DiagnosticCollector()
            defer { warnings += found.diagnostics }
            model = try ManagedObjectModel(paths: item.models, diagnostics: &found)
        }
        if model == nil, isNew { model = try item.modelOfSources(plan: plan) }
        let schema = try item.schemaForWriting(model, warnings: &warnings)
        let template = try (isNew ? item.like : nil).map { path throws(GranaryError) in
            try StoreTemplate(path: path, model: schema.model, busyTimeout: item.timeout)
        }
        self.init(item, schema, template)
    }

    private func problems() throws(GranaryError) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for subset in plan.subsets {
            do throws(GranaryError) { try subset.check() } catch {
                // A source that is in use, or cannot be read, is no mistake of the plan.
                guard subset.position != nil, error.code == .usage || error.code == .refused else { throw error }
                problems += Self.placed(error, at: subset.position)
            }
        }
        do throws(GranaryError) { try plan.run.generation?.check(against: schema) } catch {
            problems.append(Diagnostic(.planSyntax, error.message, at: plan.position, help: error.help))
        }
        problems += self.problems(of: plan.jobs)
        for named in plan.namedEntities where named.source.entity(in: schema) == nil {
            problems.append(
                Diagnostic(
                    .planSyntax,
                    "entity is needed for the rows of \(named.source.name): the model has no entity "
                        + "\"\(named.source.entity ?? "")\"",
                    at: named.position))
        }
        return problems
    }

    private func problems(of jobs: [ImportJob]) -> [Diagnostic] {
        var run = plan.run
        run.generation = nil
        var problems: [Diagnostic] = []
        for job in jobs {
            do throws(GranaryError) { try Importer(jobs: [job], run: run).check(against: schema) } catch {
                problems += Self.placed(error, at: job.origin ?? plan.position)
            }
        }
        return problems
    }

    private static func placed(_ error: GranaryError, at position: SourcePosition?) -> [Diagnostic] {
        var found = error.diagnostics
        if found.isEmpty { found = [Diagnostic(.planSyntax, error.message, help: error.help)] }
        for index in found.indices where found[index].position == nil { found[index].position = position }
        return found
    }

    /// Takes the objects of the subsets.
    ///
    /// - Returns: the problems of objects that the model does not have.
    private func takeSubsets() throws -> [Diagnostic] {
        var jobs: [ImportJob] = []
        for (index, subset) in plan.subsets.enumerated() {
            let taken = try subset.taken(for: plan.store, number: index + 1, plan.run.cancellation)
            documents.append(taken)
            jobs += taken.jobs.map { job in
                var job = job
                job.origin = subset.position
                return job
            }
        }
        // After the imports, whose objects those of a subset can give way to.
        plan.jobs += jobs
        return problems(of: jobs)
    }

    /// A report of the run with the store's name, what the subsets took, and diagnostics that name their objects.
    func finished(_ report: ImportReport) throws -> ImportReport {
        var report = try documents.reduce(report) { try $1.explained($0) }
        report.store = plan.storeName
        report.subsets = documents.map { taken in
            var subset = taken.report
            subset.store = plan.storeName
            return subset
        }
        return report
    }

    /// Opens the store, or creates one under a temporary name. A store that is not published is removed with this
    /// object.
    package func open() throws(GranaryError) {
        isNew = try !plan.storeExists()
        store = isNew ? try plan.create(schema, like: template) : try plan.open(schema)
    }

    package func opened() throws(GranaryError) -> any StoreBackend {
        guard let store else { throw GranaryError(.internalDefect, "\(plan.storeName) was not opened") }
        return store
    }

    /// Gives a new store its final name.
    func publish() throws(GranaryError) {
        try opened().publish()
        isPublished = true
    }

    /// Prepares the store for shipping.
    func ship(isChanged: Bool) throws(GranaryError) -> ShippingReport {
        guard let file = try opened() as? SQLiteStore else {
            throw GranaryError(.usage, "\(plan.storeName): only an SQLite store can be shipped")
        }
        return try ShippingReport(
            file, identifier: plan.identifier, inlinesExternalData: plan.inlinesExternalData, isChanged: isChanged)
    }
}
