import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Deletes the stored objects that no record names, of each job's entity, or of the entities of its sources
/// (``ImportOptions/prunes``).
final class Pruning {
    /// The objects of one entity that no record of a job names.
    private struct Candidates {
        let entity: Schema.Entity
        let keys: [Int64]
        let job: ResolvedJob

        /// The minimum of the default limit.
        private static let leastLimit = 10

        /// A diagnostic if the number of objects to delete exceeds the limit, otherwise nil.
        func problem(count: Int) -> Diagnostic? {
            let stored = entity.family.reduce(0) { $0 + (job.counts.stored[$1] ?? 0) }
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
    /// The candidates of each job.
    private let candidates: [[Candidates]]
    private(set) var pruned = 0

    /// Finds the stored objects that no record names.
    init(_ read: ReadImport, _ problems: ImportProblems, _ run: ImportRunOptions) {
        self.read = read
        self.problems = problems
        self.run = run
        schema = read.schema
        candidates = read.sources.jobs.map { job in
            guard job.options.prunes else { return [] }
            let entities = job.entity.map { [$0] } ?? job.counts.entities.sorted().map { read.schema.entities[$0] }
            return entities.compactMap { Self.candidates(of: $0, job, read) }
        }
    }

    private static func candidates(of entity: Schema.Entity, _ job: ResolvedJob, _ read: ReadImport) -> Candidates? {
        let byKey = job.indexNumber(of: entity).map { read.keys.indexes.all[$0].index }
        guard let index = job.findsByIdentifier(entity) ? read.references.identifiers : byKey else { return nil }
        let keys = index.unclaimed(entity: entity.index) {
            $0.record != 0 || read.keys.recordsByObject[RowID(root: entity.root, key: $0.key)] != nil
        }
        return keys.isEmpty ? nil : Candidates(entity: entity, keys: keys, job: job)
    }

    /// Deletes the objects, when all rows and links are written.
    func run(_ written: ImportWriter) throws {
        for ofJob in candidates {
            var open: [Candidates] = []
            for candidate in ofJob where !mayBeOfRejected(candidate) { open.append(candidate) }
            guard !open.isEmpty, try isWithinLimits(open, written) else { continue }
            // Together, because objects of one entity may be needed only by objects of another that are deleted too.
            let pruner = try pruner(of: open, written)
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

    /// Whether a rejected record can be the record of an object that would be deleted. Adds a warning if so.
    private func mayBeOfRejected(_ candidate: Candidates) -> Bool {
        let mayBeTheirs = read.sources.jobs.contains { job in
            job.rejectedCount > 0 && (job.entity.map { $0.root == candidate.entity.root } ?? true)
        }
        guard mayBeTheirs else { return false }
        problems.add(
            Diagnostic(
                .pruneSkipped,
                "objects that no row mentions: \(candidate.keys.count); none is pruned, because a rejected record can "
                    + "be theirs",
                severity: .warning, entity: candidate.entity.name))
        return true
    }

    /// Whether pruning each entity alone deletes no more objects than its limit. Reports those that exceed it.
    private func isWithinLimits(_ open: [Candidates], _ written: ImportWriter) throws -> Bool {
        var isWithin = true
        for candidate in open {
            guard let problem = candidate.problem(count: try pruner(of: [candidate], written).deleted.count) else {
                continue
            }
            problems.addFatal(problem)
            isWithin = false
        }
        return isWithin
    }

    private func pruner(of candidates: [Candidates], _ written: ImportWriter) throws -> Pruner {
        var pruner = Pruner(written, nameLimit: run.diagnosticLimit)
        for candidate in candidates { pruner.add(candidate.keys, entity: candidate.entity) }
        try pruner.plan()
        return pruner
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
