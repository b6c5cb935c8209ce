import ArgumentParser
import GranaryFormats
import GranarySeeding

/// What a constant table is made of.
struct ExportTermsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The attribute whose values are the terms; several with commas between them, for --field-delimiter.",
            valueName: "attribute"))
    var attribute: String?

    @Option(help: ArgumentHelp("What stands between two terms: any text.", valueName: "text"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp("What stands between the attributes inside a term: any text.", valueName: "text"))
    var fieldDelimiter: String?

    @Option(
        help: ArgumentHelp("The integer attribute that orders the terms; it must count them.", valueName: "attribute"))
    var ordinal: String?

    /// The attributes that a term is made of.
    var attributes: [String] {
        attribute?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// Nil without attributes.
    var terms: ExportOptions.Terms? {
        guard !attributes.isEmpty else { return nil }
        var terms = ExportOptions.Terms(delimiter: delimiter ?? "")
        terms.attributes = attributes
        terms.fieldDelimiter = fieldDelimiter
        terms.ordinal = ordinal
        return terms
    }

    /// - Throws: a sentence for what is missing, or is there without a constant table.
    func check(against format: DataFormat, entities: Int) throws {
        guard format == .terms else {
            if attribute != nil || delimiter != nil || fieldDelimiter != nil || ordinal != nil {
                throw ValidationError(
                    "--attribute, --delimiter, --field-delimiter and --ordinal are for --format terms.")
            }
            return
        }
        if entities != 1 { throw ValidationError("a constant table holds one entity; name it with --entity.") }
        if attribute == nil { throw ValidationError("say which attribute the terms are, with --attribute.") }
        if delimiter?.isEmpty ?? true { throw ValidationError("say what stands between the terms, with --delimiter.") }
        if attributes.count > 1, fieldDelimiter == nil {
            throw ValidationError("say with --field-delimiter what stands between the attributes of a term.")
        }
        if attributes.count == 1, fieldDelimiter != nil {
            throw ValidationError("--field-delimiter needs several attributes: --attribute key,name.")
        }
    }
}
