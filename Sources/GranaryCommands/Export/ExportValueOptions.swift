import ArgumentParser
import GranaryFormats
import GranarySeeding

/// How values are written.
struct ExportValueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("CSV and TSV: how NULL is written (default: the empty field).", valueName: "text"))
    var null: String?

    @Option(help: "iso8601 (default) or seconds since 2001-01-01 00:00:00 UTC.")
    var dates: DateStyle?

    @Option(help: "base64 (default) or hex.")
    var binary: BinaryStyle?

    @Option(help: "Property lists: xml (default) or binary.")
    var plistEncoding: PropertyListEncoding?

    /// - Throws: a sentence for what the format has no use for.
    func check(against format: DataFormat) throws {
        if null != nil, !format.isDelimited { throw ValidationError("--null is for csv and tsv.") }
        if plistEncoding != nil, format != .plist { throw ValidationError("--plist-encoding is for plist.") }
        if format == .plist, dates != nil || binary != nil {
            throw ValidationError("a property list has its own dates and data; leave out --dates and --binary.")
        }
    }

    var options: ExportOptions {
        var options = ExportOptions()
        options.nullText = null
        if let dates { options.dates = dates }
        if let binary { options.binary = binary }
        if let plistEncoding { options.propertyListEncoding = plistEncoding }
        return options
    }
}
