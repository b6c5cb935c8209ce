import GranaryBase
import GranarySeeding

/// What an import writes besides the store and its rejects: the file of `--report`, and SARIF on standard output.
///
/// Both are written before the commit, so that a full disk or a closed pipe leaves the store as it was.
final class ImportDocuments {
    private let output: ByteOutput?
    private let printing: ImportPrintingOptions
    private var isPrepared = false

    /// Creates the report's file under a temporary name, before anything is read.
    ///
    /// - Parameters:
    ///   - report: the path, `-` for standard output, or nil for none.
    ///   - replacing: whether a file of that name may be replaced.
    ///   - permissions: the file's mode; the process's umask is applied.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init(
        report: String?, replacing: Bool, permissions: UInt32, _ printing: ImportPrintingOptions
    ) throws(GranaryError) {
        self.printing = printing
        switch report {
        case nil: output = nil
        case "-"?: output = .standardOutput()
        case let path?: output = try .file(path, replacing: replacing, permissions: permissions)
        }
    }

    /// Writes and syncs the documents; does nothing the second time.
    ///
    /// - Parameter reports: one for each store.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func prepare(_ reports: [ImportReport]) throws {
        guard !isPrepared else { return }
        isPrepared = true
        if let output {
            output.append(try reports.count == 1 ? CommandJSON.text(reports[0]) : CommandJSON.text(SeedReport(reports)))
            try output.prepare()
        }
        if printing.format == .sarif { try ImportPrinting.writeSARIF(SeedReport(reports).sum, printing) }
    }

    /// Gives the report's file its name.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    func publish() throws(GranaryError) { try output?.publish() }
}

extension ImportReport {
    /// The same, with the store's path.
    func stored(at path: String) -> ImportReport {
        var report = self
        report.store = path
        return report
    }
}
