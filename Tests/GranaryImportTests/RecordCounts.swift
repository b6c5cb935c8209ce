import GranaryImport

/// What became of the records of an import, as in its ledger.
struct RecordCounts: Equatable, Sendable {
    var created = 0
    var updated = 0
    var unchanged = 0
    var skipped = 0
    var rejected = 0

    var read: Int { created + updated + unchanged + skipped + rejected }
}

extension RecordCounts {
    init(_ report: ImportReport) {
        self.init(
            created: report.created, updated: report.updated, unchanged: report.unchanged, skipped: report.skipped,
            rejected: report.rejected)
    }
}
