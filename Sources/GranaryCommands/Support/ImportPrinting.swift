import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryImport
import GranarySeedPlans

/// Prints the result of an import. The last line on standard error is always the ledger.
enum ImportPrinting {
    /// Prints the diagnostics, notes such as skipped blank lines, and the ledger. SARIF and CSV are written earlier, by
    /// ``writeDocument(_:_:)``.
    ///
    /// - Parameters:
    ///   - failure: the first error that occurred after the commit.
    ///   - stored: the paths of the stores that were committed, for the message.
    /// - Returns: the exit code: the report's, or 74 after a failure.
    static func finish(
        _ report: ImportReport, failure: GranaryError? = nil, storedIn stored: String = "",
        options: ImportPrintingOptions
    ) -> Int32 {
        let store = report.store
        let (shown, count) = shown(report, options)
        switch options.format {
        case .text:
            let endings = Set(report.endings)
            let others = shown.filter { !endings.contains($0) }
            var list = DiagnosticList(
                diagnostics: others, count: max(count - report.endings.count, others.count), groups: report.rules,
                thins: options.maxDiagnostics == nil, limit: options.limit, help: options.isQuiet ? .none : options.help
            )
            list.print(all: options.isQuiet ? nil : report.allDiagnostics)
            let isLong = list.isCut || count > RuleSummary.threshold && (!list.isThinned || report.rules.count > 1)
            if isLong, !options.isQuiet, !report.rules.isEmpty { log(RuleSummary.lines(report.rules)) }
            // The reasons why the run ended are printed last and are not limited.
            for ending in report.endings { CommandOutput.log(ending, help: options.help) }
        case .json: log(asJSON: shown, all: options.isQuiet ? nil : report.allDiagnostics, options)
        case .sarif, .csv: break
        }
        let isDryRun = options.isDryRun || report.isDryRun
        if !options.isQuiet {
            if isDryRun {
                log(ChangeSummary.plan(report, limit: options.maxDiagnostics ?? ChangeSummary.changeLimit))
            } else if !report.isRefused {
                log(ChangeSummary.done(report))
            }
            for omitted in report.omittedReferences {
                CommandOutput.log(
                    "\(CountText.count(omitted.count, "reference")) left out (\(omitted.entity).\(omitted.property))")
            }
            if report.skippedBlankLines > 0 {
                let count = CountText.count(report.skippedBlankLines, "blank line")
                CommandOutput.log(
                    "\(count) skipped; --blank-lines null (one column) or --blank-rows null reads them as NULL")
            }
            for subset in report.subsets {
                CommandOutput.log("subset of \(subset.source): \(subset.ledger)")
                SubsetText.log(subset, limit: options.limit)
            }
            if !report.generated.isEmpty { CommandOutput.log(GenerationReport(report).ledger) }
            if !report.rejects.isEmpty {
                let hint = options.rejectsHint.map { "; " + $0 } ?? ""
                CommandOutput.log("rejected records are in \(report.rejects.joined(separator: ", "))\(hint)")
                if !report.rejectedObjects.isEmpty {
                    CommandOutput.log(
                        "  help: no field can have the objects of \(report.rejectedObjects.joined(separator: ", ")); write "
                            + "the keys of stored objects there, or correct the records without --rejects-format csv")
                }
            }
        }
        if report.isRefused {
            let exists = options.isInOldDatabase ?? FileManager.default.fileExists(atPath: store)
            let state = exists ? "is unchanged" : "was not created"
            CommandOutput.logError("nothing was imported; \(store) \(state)")
        } else if !options.isQuiet {
            if isDryRun {
                CommandOutput.log("granary: dry run: nothing was stored")
            } else if report.changesNothing {
                let isShipped = report.shipping?.isWritten ?? false
                let what = isShipped ? "was only prepared for shipping" : "was not written"
                CommandOutput.log("granary: nothing has changed; \(store) \(what)")
            } else if options.isRevertible, let run = report.run {
                CommandOutput.log("run \(run); to undo it: granary store revert \(store) --run \(run)")
            }
            report.shipping?.log(store)
        }
        if let failure {
            CommandOutput.log(failure.diagnostics, limit: options.limit, help: options.help)
            let place = stored.isEmpty ? "" : "; the import is stored in \(stored)"
            CommandOutput.logError(failure.message + place, help: failure.help, form: options.help)
        }
        if !options.isQuiet, options.format == .text, CommandOutput.current.terminal.isPresent {
            CommandOutput.log(ChangeSummary.sentence(report))
        }
        CommandOutput.log(report.ledger)
        return failure == nil ? report.exitCode : ExitCodes.failedAfterCommit
    }

    private static func shown(
        _ report: ImportReport, _ options: ImportPrintingOptions
    ) -> (diagnostics: [Diagnostic], count: Int) {
        let shown = options.isQuiet ? report.diagnostics.filter { $0.severity == .error } : report.diagnostics
        return (shown, max(options.isQuiet ? report.errorCount : report.diagnosticCount, shown.count))
    }

    /// Writes the diagnostics of an import to standard output as one document of SARIF or CSV.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    static func writeDocument(_ report: ImportReport, _ options: ImportPrintingOptions) throws(GranaryError) {
        let (shown, count) = shown(report, options)
        try writeDocument(shown, count: count, options, exitCode: report.exitCode)
    }

    /// Prints the error that ended an import, and a ledger of zeros if it is not wrong usage.
    ///
    /// - Returns: the exit code.
    static func fail(_ error: GranaryError, options: ImportPrintingOptions) -> Int32 {
        switch options.format {
        case .text: CommandOutput.log(error, limit: options.limit, help: options.help)
        case .json:
            log(asJSON: error.diagnostics, options)
            CommandOutput.logError(error.message, help: error.help, form: options.help)
        case .sarif, .csv:
            CommandOutput.logError(error.message, help: error.help, form: options.help)
            do throws(GranaryError) {
                try writeDocument(
                    error.diagnostics, count: error.diagnostics.count, options, exitCode: error.exitCode,
                    failure: error.message)
            } catch let other {
                if other.message != error.message { CommandOutput.logError(other.message) }
            }
        }
        // After wrong usage there is nothing to count.
        if error.code != .usage { CommandOutput.log(ImportReport().ledger) }
        return error.exitCode
    }

    private static func log(_ lines: [String]) {
        for line in lines { CommandOutput.log(line) }
    }

    private static func log(
        asJSON diagnostics: [Diagnostic], all: DiagnosticSpool? = nil, _ options: ImportPrintingOptions
    ) {
        struct Enough: Error {}
        if let all, options.limit > diagnostics.count {
            var count = 0
            // If the temporary file cannot be read, the diagnostics in memory are written.
            try? all.forEachLine { line in
                guard count < options.limit else { throw Enough() }
                count += 1
                CommandOutput.log(json: String(decoding: line, as: UTF8.self))
            }
            if count >= min(options.limit, all.count) { return }
        }
        for diagnostic in diagnostics.prefix(options.limit) {
            CommandOutput.log(json: (try? CommandJSON.line(diagnostic)) ?? VisibleText.escaped("\(diagnostic)"))
        }
    }

    private static func writeDocument(
        _ diagnostics: [Diagnostic], count: Int, _ options: ImportPrintingOptions, exitCode: Int32,
        failure: String? = nil
    ) throws(GranaryError) {
        guard !options.document.isWritten else { return }
        options.document.isWritten = true
        guard options.format == .sarif else {
            return try CommandOutput.write(try DiagnosticTable.text(of: diagnostics.prefix(options.limit)))
        }
        let document = SARIFLog.json(
            of: Array(diagnostics.prefix(options.limit)), count: count,
            toolVersion: GranaryCommand.version, exitCode: exitCode, failure: failure)
        try CommandOutput.write(try CommandJSON.text(document))
    }
}

extension ImportReport {
    /// Whether the store already contained all objects that were read.
    fileprivate var changesNothing: Bool {
        unchanged > 0 && created + updated + pruned + nested + madeByLookup == 0 && generated.isEmpty
    }
}
