import Foundation
import GranaryBase
import GranaryImport
import GranaryPages
import GranarySeedPlans

/// The documents of an import: the files of `--report` and `--html`, and SARIF or CSV on standard output.
///
/// Both are written before the commit, so that a full disk or a closed pipe leaves the store unchanged.
final class ImportDocuments: ImportOutputs {
    /// One file.
    private struct Document {
        let isPage: Bool
        var output: ByteOutput?
        /// Creates a new temporary file; nil for standard output.
        let make: (() throws(GranaryError) -> ByteOutput)?
    }

    private var documents: [Document] = []
    private let printing: ImportPrintingOptions
    private let reportsAll: Bool
    private var isPrepared = false

    /// Creates the files under temporary names. Call it before reading, so that an unusable path is found early.
    ///
    /// - Parameters:
    ///   - report: the path of the JSON, `-` for standard output, or nil for none.
    ///   - page: the same for the page.
    ///   - reportsAll: whether the JSON has all diagnostics.
    ///   - replacing: whether a file of that name may be replaced.
    ///   - permissions: the files' mode; the process's umask is applied.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init(
        report: String?, page: String?, reportsAll: Bool, replacing: Bool, permissions: UInt32,
        _ printing: ImportPrintingOptions
    ) throws(GranaryError) {
        self.printing = printing
        self.reportsAll = reportsAll
        for (path, isPage) in [(report, false), (page, true)] {
            guard let path else { continue }
            guard path != "-" else {
                documents.append(Document(isPage: isPage, output: .standardOutput(), make: nil))
                continue
            }
            let make = { () throws(GranaryError) -> ByteOutput in
                try .file(path, replacing: replacing, permissions: permissions)
            }
            documents.append(Document(isPage: isPage, output: try make(), make: make))
        }
    }

    var isRepeatable: Bool { !printing.format.isDocument && documents.allSatisfy { $0.make != nil } }

    /// Writes and syncs the documents. Only the first call has an effect.
    ///
    /// - Parameter reports: one for each store.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func prepare(_ reports: [ImportReport]) throws {
        guard !isPrepared else { return }
        isPrepared = true
        for document in documents {
            guard let output = document.output else { continue }
            try write(reports, to: output, isPage: document.isPage)
            try output.prepare()
        }
        if printing.format.isDocument { try ImportPrinting.writeDocument(SeedReport(reports).sum, printing) }
    }

    /// Writes the files again, because the stored data differs from the first report. If that fails, they do not exist.
    ///
    /// - Throws: as ``prepare(_:)``.
    func prepareAgain(_ reports: [ImportReport]) throws(GranaryError) {
        for index in documents.indices {
            guard let make = documents[index].make else { continue }
            documents[index].output = nil
            let again = try make()
            do {
                try write(reports, to: again, isPage: documents[index].isPage)
                try again.prepare()
            } catch {
                throw error as? GranaryError ?? GranaryError(.inputOutput, "\(again.name): cannot be written: \(error)")
            }
            documents[index].output = again
        }
    }

    private func write(_ reports: [ImportReport], to output: ByteOutput, isPage: Bool) throws {
        guard isPage else { return try write(reports, to: output) }
        output.append(ImportPage.html(reports, title: "Import into " + reports.map(\.store).joined(separator: ", ")))
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

    /// Renames the files to their names.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func publish() throws(GranaryError) {
        for document in documents { try document.output?.publish() }
    }
}
