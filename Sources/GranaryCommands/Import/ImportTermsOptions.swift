import ArgumentParser
import GranaryBase
import GranaryFormats
import GranaryModel

/// A constant table: many values of one attribute in one text.
struct ImportTermsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The table itself: the terms with --delimiter between them.", valueName: "text"))
    var terms: String?

    @Option(help: ArgumentHelp("The attribute that each term is a value of.", valueName: "attribute"))
    var attribute: String?

    @Option(help: ArgumentHelp("The attribute that takes the term's place in the table.", valueName: "attribute"))
    var ordinal: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The first term's place.", valueName: "n"))
    var ordinalStart: Int64 = 0

    func check(against formats: [ImportFormat], delimiter: String?) throws {
        guard formats.contains(.terms) else {
            if attribute != nil || ordinal != nil {
                throw ValidationError("--attribute and --ordinal are for constant tables.")
            }
            return
        }
        if attribute == nil { throw ValidationError("say with --attribute what the terms are values of.") }
        if delimiter?.isEmpty ?? true { throw ValidationError("say with --delimiter what stands between the terms.") }
        if (delimiter?.utf8.count ?? 0) > TermsReader.Options.maximumDelimiterBytes {
            throw ValidationError("--delimiter is longer than \(TermsReader.Options.maximumDelimiterBytes) bytes.")
        }
        if attribute == ordinal { throw ValidationError("--attribute and --ordinal are the same.") }
    }

    /// The columns of a constant table are named on the command line, so a wrong one is wrong usage.
    func check(against entity: Schema.Entity) throws(GranaryError) {
        for (option, name) in [("--attribute", attribute), ("--ordinal", ordinal)] {
            guard let name, entity.attribute(named: name) == nil else { continue }
            let hint = NearestText.hint(for: name, in: entity.attributes.map(\.name))
            throw GranaryError(.usage, "\(option) \(name): \(entity.name) has no attribute \"\(name)\"\(hint)")
        }
    }

    func options(delimiter: String?, _ source: ImportSourceOptions) -> TermsReader.Options {
        var options = TermsReader.Options(
            delimiter: delimiter ?? "", attribute: attribute ?? "", ordinal: ordinal, ordinalStart: ordinalStart)
        options.allowsNUL = source.allowNul
        return options
    }
}
