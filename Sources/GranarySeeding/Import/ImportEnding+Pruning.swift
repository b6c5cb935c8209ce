import Foundation
import GranaryBase
import GranaryModel
import GranaryPersistence

/// Deletes the objects of an entity that no row of a job names.
struct PruneCandidates {
    let entity: Schema.Entity
    let keys: [Int64]
    let job: JobState

    /// The smallest default limit; only an option can set a smaller one.
    private static let leastLimit = 10

    /// A diagnostic if the number of objects to delete exceeds the limit, otherwise nil.
    func problem(count: Int) -> Diagnostic? {
        let stored = job.storedCount
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
            "pruning would delete \(count) objects, including those that cascades delete; the limit is \(reason). Is the "
                + "source complete?", entity: entity.name, help: "--max-prune \(count)")
    }
}

/// Objects that no row has, and what became of all records.
extension ImportEnding {
    /// What pruning would delete, worked out while the indexes know which record speaks of which object.
    func pruneCandidates() -> [PruneCandidates] {
        session.jobs.compactMap { job in
            guard job.options.prunes, let entity = job.entity, let identity = job.identity(of: entity) else {
                return nil
            }
            let keys = session.context.keys.tracked[identity].index.unclaimed(entity: entity.index) {
                $0.record != 0 || claimed[RowID(root: entity.root, key: $0.key)] != nil
            }
            return PruneCandidates(entity: entity, keys: keys, job: job)
        }
    }

    func prune(_ candidates: [PruneCandidates]) throws {
        for candidate in candidates where !candidate.keys.isEmpty {
            let (entity, keys) = (candidate.entity, candidate.keys)
            // A rejected record may be that of an object which would go.
            let mayBeTheirs = session.jobs.contains { job in
                job.rejectedCount > 0 && (job.entity.map { $0.root == entity.root } ?? true)
            }
            guard !mayBeTheirs else {
                session.add(
                    Diagnostic(
                        .pruneSkipped,
                        "objects without a row: \(keys.count); none is pruned, because a rejected record may be theirs",
                        severity: .warning, entity: entity.name))
                continue
            }
            var pruner = Pruner(schema: schema, store: store, rows: rows, session: session, claimed: claimed)
            pruner.add(keys, entity: entity)
            try pruner.plan()
            if let problem = candidate.problem(count: pruner.deleted.count) {
                session.addFatal(problem)
                continue
            }
            announce(pruner)
            try pruner.run()
            for problem in pruner.problems { session.addFatal(problem) }
            if pruner.problems.isEmpty { pruned += pruner.deleted.count }
        }
        guard pruned > 0, !session.isRefused else { return }
        try CountCheck(schema: schema, store: store).run { row, entity, relationship, violation in
            session.addFatal(
                Diagnostic(
                    violation.code,
                    "\(schema.objectName(entity: entity.index, key: row.key)): \(violation.message) after pruning",
                    entity: entity.name, property: relationship.name, coreDataCode: violation.coreDataCode))
        }
    }

    /// The plan comes before the deed.
    func announce(_ pruner: Pruner) {
        guard let announce = session.run.announce, !session.run.isDryRun, pruner.problems.isEmpty else { return }
        let byEntity = Dictionary(grouping: pruner.deleted, by: \.value).sorted { $0.key < $1.key }
        for (entity, rows) in byEntity where schema.entities.indices.contains(entity) {
            let keys = rows.map(\.key.key).sorted()
            let first = keys.prefix(10).map { "p\($0)" }.joined(separator: ", ")
            announce(
                "prune: \(keys.count) \(schema.entities[entity].name) that no row has: \(first)"
                    + (keys.count > 10 ? ", …" : ""))
        }
    }

    // MARK: The report

    /// What became of the records of each job.
    func reports() throws(GranaryError) -> [ImportReport] {
        var reports: [ImportReport] = []
        for job in session.jobs {
            var report = ImportReport()
            report.entity = job.entity?.name
            report.read = job.read
            report.rejected = job.rejectedCount
            report.skippedBlankLines = job.skippedBlankLines
            report.isRefused = session.isRefused
            if session.isRefused {
                report.skipped = job.read - report.rejected
            } else {
                report.created = job.created
                report.skipped = job.skipped
                report.nested = job.nested
                report.updated = rows.updated[job.number] ?? 0
                report.unchanged = rows.unchanged[job.number] ?? 0
                if job.linkRelationship != nil {
                    report.updated = linkRecords.count { session.jobOfFile[Int($0.file)] == job.number }
                    report.unchanged = job.read - report.rejected - report.updated
                }
            }
            let sum = report.created + report.updated + report.unchanged + report.skipped + report.rejected
            guard sum == report.read else {
                throw GranaryError(
                    .internalDefect, "the ledger does not add up: \(report.ledger); nothing was imported")
            }
            reports.append(report)
        }
        return reports
    }
}
