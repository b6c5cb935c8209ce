import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryRecords

/// One subset: finds the objects and copies them.
struct SubsetRun {
    private let schema: Schema
    private let options: SubsetOptions
    private let plan: SubsetPlan
    private let anonymisation: Anonymisation?

    /// Checks the options against the model.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    init(_ schema: Schema, _ options: SubsetOptions) throws(GranaryError) {
        self.schema = schema
        self.options = options
        plan = try SubsetPlan(schema: schema, options: options)
        anonymisation = options.anonymises ? try Anonymisation(schema: schema, options: options) : nil
    }

    /// - Parameter finishing: called when all is written, before the output is searched.
    /// - Throws: ``GranaryError``: `refused` if a value cannot be replaced; as reading and writing throw.
    func run(
        _ source: any StoreBackend, into target: any StoreBackend,
        finishing: (inout SubsetReport) throws -> Void = { _ in }
    ) throws -> SubsetReport {
        try source.reading {
            let files = options.missingFiles == .null ? source as? any ExternalFileReading : nil
            defer { files?.missingFiles = nil }
            // Rows are read twice. The files that the first time lacks are missing again the second time.
            files?.missingFiles = MissingExternalFiles()
            var plan = plan
            try plan.findSmallTables(source)
            let explained = try options.explained.map { try ExplainedObject($0, schema) }
            var closure = SubsetClosure(
                source, plan: plan, explains: !explained.isEmpty, cancellation: options.cancellation)
            try closure.run(depth: options.depth)
            var report = SubsetReport()
            // A condition can contain a value that the subset replaces.
            let selections = options.selections.map { options.anonymises ? $0.entity : $0.description }
            report.explanations = explained.map { object in
                let path = closure.origins?.path(
                    to: object.key, root: object.root, closure.selection, selections: selections)
                return SubsetReport.Explanation(object: object.name, path: path ?? [])
            }
            report.entities = try entities(closure, source)
            report.smallTables = smallTables(plan, closure.selection)
            let missing = MissingExternalFiles()
            files?.missingFiles = missing
            var warnings = DiagnosticCollector()
            for warning in try source.strayRowWarnings(read: [:], "copied") { warnings.add(warning) }
            for warning in closure.missingReferences { warnings.add(warning) }
            let values = anonymisation?.started()
            try target.transaction { writer in
                if try !target.mayRefuseRows() { writer.bulk?.deferIndexes() }
                try writer.chooseLoader(nil)
                writer.bulk?.expect(rows: closure.selection.count)
                var copy = SubsetCopy(
                    source, writer: writer, selection: closure.selection,
                    values: values, cancellation: options.cancellation)
                try copy.run(&warnings)
                try copy.noteDerived(in: target, &warnings)
                try copy.noteBrokenLinks(&warnings)
                report.attributes = copy.tally.attributes(schema)
                report.relationships = copy.tally.relationships(schema)
            }
            report.isAnonymised = anonymisation != nil
            report.warnings = missing.diagnostics + warnings.diagnostics
            report.warningCount = missing.diagnostics.count + warnings.count
            try finishing(&report)
            if let values, let file = target as? SQLiteStore {
                let decisions = values.anonymisation.decisions
                let search = OutputSearch(schema: schema, gone: values.gone, cancellation: options.cancellation) {
                    if case .keep? = decisions[$0][$1] { true } else { false }
                }
                report.search = try search.run(file)
            }
            return report
        }
    }

    private func entities(
        _ closure: SubsetClosure, _ source: any StoreBackend
    ) throws -> [SubsetReport.Entity] {
        var entities: [SubsetReport.Entity] = []
        for entity in schema.entities {
            let count = closure.selection.found[entity.index].count
            guard count > 0 else { continue }
            let counts = closure.counts[entity.index]
            let last = counts.neighbours.keys.max() ?? 0
            entities.append(
                SubsetReport.Entity(
                    name: entity.name, count: count, chosen: counts.chosen, needed: counts.needed,
                    neighbours: (0..<last).map { counts.neighbours[$0 + 1] ?? 0 }, followed: counts.followed,
                    total: try source.count(entity: entity.index)))
        }
        return entities
    }

    private func smallTables(_ plan: SubsetPlan, _ selection: SubsetSelection) -> [SubsetReport.SmallTable] {
        plan.smallTables.map { table in
            let destination = schema.entities[table.relationship.destination]
            return SubsetReport.SmallTable(
                relationship: "\(schema.entities[table.relationship.owner].name).\(table.relationship.name)",
                entity: destination.name,
                count: destination.family.reduce(0) { $0 + selection.found[$1].count }, total: table.total)
        }.filter { $0.count > 0 }
    }
}
