import Foundation
import GranaryBase
import GranaryImport
import GranarySeedPlans

/// The documents of an import: the file of `--report`, and SARIF or CSV on standard output.
///
/// Both are written before the commit, so that a full disk or a closed pipe leaves the store unchanged.
final class ImportDocuments: ImportOutputs {
    private var output: ByteOutput?
    /// Creates a new temporary file for the report; nil if there is no report or it goes to standard output.
    private let makeOutput: (() throws(GranaryError) -> ByteOutput)?
    private let printing: ImportPrintingOptions
    private let reportsAll: Bool
    private var isPrepared = false

    /// Creates the report file under a temporary name. Call it before reading, so that an unusable path is found early.
    ///
    /// - Parameters:
    ///   - report: the path, `-` for standard output, or nil for none.
    ///   - reportsAll: whether the report has all diagnostics.
    ///   - replacing: whether a file of that name may be replaced.
    ///   - permissions: the file's mode; the process's umask is applied.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init(
        report: String?, reportsAll: Bool, replacing: Bool, permissions: UInt32, _ printing: ImportPrintingOptions
    ) throws(GranaryError) {
        self.printing = printing
        self.reportsAll = reportsAll
        switch report {
        case nil: (output, makeOutput) = (nil, nil)
        case "-"?: (output, makeOutput) = (.standardOutput(), nil)
        case let path?:
            makeOutput = { () throws(GranaryError) in
                try .file(path, replacing: replacing, permissions: permissions)
            }
            output = try makeOutput?()
        }
    }

    /// Writes and syncs the documents. Only the first call has an effect.
    ///
    /// - Parameter reports: one for each store.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func prepare(_ reports: [ImportReport]) throws {
        guard !isPrepared else { return }
        isPrepared = true
        if let output {
            try write(reports, to: output)
            try output.prepare()
        }
        if printing.format.isDocument { try ImportPrinting.writeDocument(SeedReport(reports).sum, printing) }
    }

    /// Writes the report file again, because the stored data differs from the first report. If that fails, there is no
    /// report.
    ///
    /// - Throws: as ``prepare(_:)``.
    func prepareAgain(_ reports: [ImportReport]) throws(GranaryError) {
        guard let makeOutput else { return }
        output = nil
        let again = try makeOutput()
        do {
            try write(reports, to: again)
            try again.prepare()
        } catch {
            throw error as? GranaryError ?? GranaryError(.inputOutput, "\(again.name): cannot be written: \(error)")
        }
        output = again
    }

    /// Writes the report as JSON. With `--report-all`, it has all diagnostics instead of the first 10,000.
    private func write(_ reports: [ImportReport], to output: ByteOutput) throws {
        guard reportsAll else {
            return output.append(
                try reports.count == 1 ? CommandJSON.text(reports[0]) : CommandJSON.text(SeedReport(reports)))
        }
        if reports.count > 1 { output.append("{\"stores\": [\n") }
        for (index, report) in reports.enumerated() {
            if index > 0 { output.append(",\n") }
            try write(report, to: output)
        }
        if reports.count > 1 { output.append("]}\n") }
    }

    private func write(_ report: ImportReport, to output: ByteOutput) throws {
        guard let all = report.allDiagnostics else { return output.append(try CommandJSON.text(report)) }
        var head = report
        head.diagnostics = []
        let text = try CommandJSON.text(head)
        // Two spaces: the report's own member. Members of nested objects are indented further.
        let empty = "\n  \"diagnostics\" : [\n\n  ]"
        guard let place = text.range(of: empty) else {
            throw GranaryError(.internalDefect, "the report has no place for its diagnostics")
        }
        output.append(String(text[..<place.lowerBound]) + "\n  \"diagnostics\" : [")
        var isFirst = true
        try all.forEachLine { line in
            output.append(isFirst ? "\n    " : ",\n    ")
            isFirst = false
            output.buffer.append(contentsOf: line)
            try output.flushIfFull()
        }
        output.append("\n  ]" + String(text[place.upperBound...]))
    }

    /// Renames the report file to its name.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func publish() throws(GranaryError) { try output?.publish() }
}
