import GranaryBase
import GranaryExport
import GranaryFormats

/// The line on how to import an exported file.
enum TextFormText {
    /// Prints the options with which `granary import` reads the output, if it needs any. An import of a file with its
    /// sidecar needs none.
    ///
    /// - Parameters:
    ///   - expressions: the columns that an import does not take.
    ///   - entity: the entity of a file of one entity whose name is another; nil for other outputs.
    static func logImport(
        _ options: ExportOptions, _ format: DataFormat, expressions: [String], entity: String? = nil
    ) {
        var needed = importOptions(options, format)
        needed += expressions.compactMap { OptionHelp.option("ignore", $0) }
        guard !needed.isEmpty else { return }
        if let entity, let option = OptionHelp.option("entity", entity) { needed.insert(option, at: 0) }
        guard options.blobs == .inline else {
            // No option of an import names the columns with paths.
            CommandOutput.log("an import needs the sidecar, which says which values are in files")
            return
        }
        CommandOutput.log("without the sidecar, import it with: \(needed.joined(separator: " "))")
    }

    private static func importOptions(_ options: ExportOptions, _ format: DataFormat) -> [String] {
        var needed = options.form.importOptions
        func add(_ name: String, _ value: String) {
            if let option = OptionHelp.option(name, value) { needed.append(option) }
        }
        // A property list has types for dates and binary data, and NULL is a text only in tables.
        if format != .plist {
            if options.dates == .seconds { add("date-format", DateFormat.seconds.optionText) }
            if options.binary != .base64 { add("binary", options.binary.rawValue) }
        }
        if format.isDelimited {
            if let null = options.nullText, !null.isEmpty { add("null", null) }
            if options.isForSpreadsheets { needed.append("--spreadsheet") }
        }
        return needed
    }
}
