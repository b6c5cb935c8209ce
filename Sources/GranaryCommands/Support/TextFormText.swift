import GranaryExport
import GranaryFormats

/// The line on how to import an exported file.
enum TextFormText {
    /// Prints the options with which `granary import` reads the output, if it needs any. An import of a file with its
    /// sidecar needs none.
    static func logImport(_ options: ExportOptions) {
        var needed = options.form.importOptions
        if options.isForSpreadsheets, !needed.isEmpty { needed.append("--spreadsheet") }
        guard !needed.isEmpty else { return }
        CommandOutput.log("without the sidecar, import it with: \(needed.joined(separator: " "))")
    }
}
