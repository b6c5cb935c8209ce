import ArgumentParser

/// What a constant table is made of.
struct ExportTermsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The attribute whose values are the terms.", valueName: "attribute"))
    var attribute: String?

    @Option(help: ArgumentHelp("What stands between two terms: any text.", valueName: "text"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp("The integer attribute that orders the terms; it must count them.", valueName: "attribute"))
    var ordinal: String?

    /// - Throws: a sentence for what is missing, or is there without a constant table.
    func check(against format: ExportFormat, entities: Int) throws {
        guard format == .terms else {
            if attribute != nil || delimiter != nil || ordinal != nil {
                throw ValidationError("--attribute, --delimiter and --ordinal are for --format terms.")
            }
            return
        }
        if entities != 1 { throw ValidationError("a constant table holds one entity; name it with --entity.") }
        if attribute == nil { throw ValidationError("say which attribute the terms are, with --attribute.") }
        if delimiter?.isEmpty ?? true { throw ValidationError("say what stands between the terms, with --delimiter.") }
    }
}
