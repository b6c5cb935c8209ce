import GranaryBase
import GranarySeeding

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

    /// Prints the report of each store, and the sums of all as the last line.
    ///
    /// - Parameters:
    ///   - isRevertible: for each store, whether its run can be reverted.
    ///   - failure: the first error that occurred after the commits.
    /// - Returns: the exit code.
    func finish(isRevertible: [Bool], failure: GranaryError?, options: ImportPrintingOptions) -> Int32 {
        var code = ExitCodes.success
        let stored = stores.filter { !$0.isRefused }.map(\.store).joined(separator: ", ")
        for (index, (report, isRevertible)) in zip(stores, isRevertible).enumerated() {
            var options = options
            options.isRevertible = isRevertible
            let failure = index == stores.count - 1 ? failure : nil
            code = max(
                code,
                ImportPrinting.finish(
                    report, store: report.store, failure: failure, storedIn: stored, options: options))
        }
        if stores.count > 1 { CommandOutput.log(sum.ledger) }
        return code
    }
}
