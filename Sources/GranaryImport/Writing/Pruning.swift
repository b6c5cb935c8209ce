import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Deletes the stored objects of each job's entity that no record names (``ImportOptions/prunes``).
final class Pruning {
    /// The objects of one job that no record names.
    private struct Candidates {
        let entity: Schema.Entity
        let keys: [Int64]
        let job: ResolvedJob

        /// The minimum of the default limit.
        private static let leastLimit = 10

        /// A diagnostic if the number of objects to delete exceeds the limit, otherwise nil.
        func problem(count: Int) -> Diagnostic? {
            let stored = job.counts.stored
            let limit: Int
            let reason: String
            switch job.options.maximumPruned {
            case .count(let number)?:
                limit = number
                reason = "\(number)"
            case .percent(let share)?:
                limit = Int((Double(stored) * share / 100).rounded(.down))
                reason = "\(limit) (\(share.formatted())% of \(stored))"
            case nil:
                limit = max(stored / 10, Self.leastLimit)
                reason = limit == Self.leastLimit ? "\(limit)" : "\(limit) (10% of \(stored))"
            }
            guard count > limit else { return nil }
            return Diagnostic(
                .limitExceeded,
                "pruning would delete \(count) objects, including those that cascades delete; the limit is \(reason). "
                    + "Is the source complete?", entity: entity.name, help: "--max-prune \(count)")
        }
    }

    private let run: ImportRunOptions
    private let problems: ImportProblems
    private let read: ReadImport
    private let schema: Schema
    private let candidates: [Candidates]
    private(set) var pruned = 0

    /// Finds the stored objects that no record names.
    init(_ read: ReadImport, _ problems: ImportProblems, _ run: ImportRunOptions) {
        self.read = read
        self.problems = problems
        self.run = run
        schema = read.schema
        candidates = read.sources.jobs.compactMap { job in
            guard job.options.prunes, let entity = job.entity else { return nil }
            let byKey = job.indexNumber(of: entity).map { read.keys.indexes.all[$0].index }
            guard let index = job.findsByIdentifier(entity) ? read.references.identifiers : byKey else { return nil }
            let keys = index.unclaimed(entity: entity.index) {
                $0.record != 0 || read.keys.recordsByObject[RowID(root: entity.root, key: $0.key)] != nil
            }
            return Candidates(entity: entity, keys: keys, job: job)
        }
    }

    /// Deletes the objects, when all rows and links are written.
    func run(_ written: ImportWriter) throws {
        for candidate in candidates where !candidate.keys.isEmpty {
            let (entity, keys) = (candidate.entity, candidate.keys)
            // A rejected record can be the record of an object that would be deleted.
            let mayBeTheirs = read.sources.jobs.contains { job in
                job.rejectedCount > 0 && (job.entity.map { $0.root == entity.root } ?? true)
            }
            guard !mayBeTheirs else {
                problems.add(
                    Diagnostic(
                        .pruneSkipped,
                        "objects that no row mentions: \(keys.count); none is pruned, because a rejected record can "
                            + "be theirs",
                        severity: .warning, entity: entity.name))
                continue
            }
            var pruner = Pruner(written, nameLimit: run.diagnosticLimit)
            pruner.add(keys, entity: entity)
            try pruner.plan()
            if let problem = candidate.problem(count: pruner.deleted.count) {
                problems.addFatal(problem)
                continue
            }
            announce(pruner)
            try pruner.run()
            for problem in pruner.problems { problems.addFatal(problem) }
            if pruner.problems.isEmpty { pruned += pruner.deleted.count }
        }
        guard pruned > 0, !problems.isRefused else { return }
        // All rows are in the store, so the spool is empty.
        let rows = ResultingRows(
            schema: schema, store: written.rows.store, spool: RowSpool(folder: nil),
            rejected: written.resolved.rejected)
        try RelationshipCountCheck(schema: schema, rows: rows, table: read.references, references: []).run {
            broken in
            problems.addFatal(
                Diagnostic(
                    broken.violation.code,
                    "\(schema.objectName(entity: broken.entity.index, key: broken.row.key)): "
                        + "\(broken.violation.message) after pruning",
                    entity: broken.entity.name, property: broken.relationship.name,
                    coreDataCode: broken.violation.coreDataCode))
        }
    }

    /// Announces the objects that will be deleted.
    private func announce(_ pruner: Pruner) {
        guard let announce = run.announce, !run.isDryRun, pruner.problems.isEmpty else {
            return
        }
        let byEntity = Dictionary(grouping: pruner.deleted, by: \.value).sorted { $0.key < $1.key }
        for (entity, rows) in byEntity where schema.entities.indices.contains(entity) {
            let sorted = rows.map(\.key).sorted { $0.key < $1.key }
            let first = sorted.prefix(10).map(pruner.name).joined(separator: ", ")
            announce(
                "deleting \(sorted.count) \(schema.entities[entity].name) missing from the files: \(first)"
                    + (sorted.count > 10 ? ", …" : ""))
        }
    }
}
