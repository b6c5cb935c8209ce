import ArgumentParser
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The options on constant tables.
struct ExportTermsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The attribute of the terms; several, separated by commas, with --field-delimiter.",
            valueName: "attribute"))
    var attribute: String?

    @Option(help: ArgumentHelp("The separator between the values inside a term (any text).", valueName: "text"))
    var fieldDelimiter: String?

    @Option(
        help: ArgumentHelp(
            "The integer attribute that orders the terms; its values must be consecutive.", valueName: "attribute"))
    var ordinal: String?

    /// The attributes of a term.
    var attributes: [String] { attribute.map(OptionText.names) ?? [] }

    /// The constant table; nil without attributes.
    ///
    /// - Parameter delimiter: the text between terms.
    func terms(delimiter: String?) -> ExportOptions.Terms? {
        guard !attributes.isEmpty else { return nil }
        var terms = ExportOptions.Terms(delimiter: delimiter ?? "")
        terms.attributes = attributes
        terms.fieldDelimiter = fieldDelimiter
        terms.ordinal = ordinal
        return terms
    }

    /// - Throws: `ValidationError` for a missing option, and for one that applies only to constant tables.
    func check(against format: DataFormat, delimiter: String?, entities: Int) throws {
        guard format == .terms else {
            if attribute != nil || fieldDelimiter != nil || ordinal != nil {
                throw ValidationError("--attribute, --field-delimiter and --ordinal apply only to --format terms.")
            }
            return
        }
        if entities != 1 { throw ValidationError("a constant table contains one entity; pass --entity once.") }
        if attribute == nil { throw ValidationError("the attribute of the terms is needed; pass --attribute.") }
        if delimiter?.isEmpty ?? true {
            throw ValidationError("a separator between terms is needed; pass --delimiter.")
        }
        if attributes.count > 1, fieldDelimiter == nil {
            throw ValidationError("a separator between the values of a term is needed; pass --field-delimiter.")
        }
        if attributes.count == 1, fieldDelimiter != nil {
            throw ValidationError("--field-delimiter needs several attributes: --attribute key,name.")
        }
    }
}
