package import GranaryBase
package import GranaryCoordination
package import GranaryCoreDataStore
import GranaryGeneration
import GranaryImport
package import GranaryModel
import GranaryRecords
import GranaryYAML

/// A store file with the imports that fill it, checked against its model.
package final class StoreTarget {
    package let plan: StoreImport
    package let schema: Schema
    /// The store that determines the names of a new store's join tables; nil to use Granary's rule.
    package let template: StoreTemplate?
    let importer: Importer
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
        importer = Importer(jobs: plan.jobs, run: plan.run)
    }

    /// Reads the models and checks each import against its model, before a store is opened or created.
    ///
    /// - Parameters:
    ///   - plan: the name of the plan in messages; nil for imports without a plan.
    ///   - warnings: receives warnings about the models.
    /// - Throws: ``GranaryError`` with a diagnostic for each problem of the imports.
    package static func checked(
        _ imports: [StoreImport], plan: String?, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> [StoreTarget] {
        var stores = ProtectedFiles()
        for item in imports {
            if let conflict = stores.conflict(of: item.store) {
                throw GranaryError(.usage, "\(item.storeName) \(conflict); a run imports into a store once")
            }
            stores.add(item.store, as: "the store")
        }
        // Reading a store while it is written would see half of the import.
        for source in imports.flatMap(\.jobs).flatMap(\.sources) where source.isDatabase {
            guard let conflict = stores.conflict(of: source.name) else { continue }
            throw GranaryError(
                .usage, "the source \(source.name) \(conflict); a run cannot read the store that it writes")
        }
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
            problems += target.problems()
            targets.append(target)
        }
        if let first = problems.first {
            let message = problems.count == 1 ? first.message : "\(plan ?? ""): the plan has \(problems.count) mistakes"
            throw GranaryError(.refused, message, diagnostics: problems)
        }
        return targets
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
        if model == nil, isNew {
            do throws(GranaryError) { model = try item.modelOfDocuments() } catch {
                guard let plan, error.code == .usage else { throw error }
                throw GranaryError(.usage, "\(plan): name the model: \(error.message)", underlying: error)
            }
        }
        let schema = try item.schemaForWriting(model, warnings: &warnings)
        let template = try (isNew ? item.like : nil).map { path throws(GranaryError) in
            try StoreTemplate(path: path, model: schema.model, busyTimeout: item.timeout)
        }
        self.init(item, schema, template)
    }

    private func problems() -> [Diagnostic] {
        var problems: [Diagnostic] = []
        do throws(GranaryError) { try plan.run.generation?.check(against: schema) } catch {
            problems.append(Diagnostic(.planSyntax, error.message, at: plan.position, help: error.help))
        }
        var run = plan.run
        run.generation = nil
        for job in plan.jobs {
            do throws(GranaryError) {
                try Importer(jobs: [job], run: run).check(against: schema)
            } catch {
                var found = error.diagnostics
                if found.isEmpty { found = [Diagnostic(.planSyntax, error.message, help: error.help)] }
                for index in found.indices where found[index].position == nil {
                    found[index].position = job.origin ?? plan.position
                }
                problems += found
            }
        }
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
