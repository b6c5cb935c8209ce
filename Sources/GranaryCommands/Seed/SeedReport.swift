import GranaryImport

/// The report of a plan with several stores: `{"stores": [report, …]}`.
struct SeedReport: Encodable {
    let stores: [ImportReport]

    init(_ stores: [ImportReport]) { self.stores = stores }

    /// The reports as one, with the diagnostics of all.
    var sum: ImportReport {
        var sum = ImportReport()
        for report in stores {
            sum.read += report.read
            sum.created += report.created
            sum.updated += report.updated
            sum.unchanged += report.unchanged
            sum.skipped += report.skipped
            sum.rejected += report.rejected
            sum.generated += report.generated
            sum.diagnostics += report.diagnostics
            sum.diagnosticCount += report.diagnosticCount
            sum.errorCount += report.errorCount
            sum.rules += report.rules
            sum.endings += report.endings
            sum.rejects += report.rejects
            sum.isRefused = sum.isRefused || report.isRefused
            sum.isDryRun = sum.isDryRun || report.isDryRun
        }
        return sum
    }
}
