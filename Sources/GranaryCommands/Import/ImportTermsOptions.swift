import ArgumentParser
import GranaryBase
import GranaryModel
import GranarySeeding

/// A constant table: many values of one attribute in one text.
struct ImportTermsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The table itself: the terms with --delimiter between them.", valueName: "text"))
    var terms: String?

    @Option(
        help: ArgumentHelp(
            "The attribute that each term is a value of; several with commas between them, for --field-delimiter.",
            valueName: "attribute"))
    var attribute: String?

    @Option(
        help: ArgumentHelp(
            "What stands between the attributes inside a term: any text, such as = for key=name.", valueName: "text"))
    var fieldDelimiter: String?

    @Option(help: ArgumentHelp("The attribute that takes the term's place in the table.", valueName: "attribute"))
    var ordinal: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The first term's place.", valueName: "n"))
    var ordinalStart: Int64 = 0

    /// The attributes that a term is made of.
    private var attributes: [String] { attribute.map(OptionText.names) ?? [] }

    /// The columns of a constant table are named on the command line, so a wrong one is wrong usage.
    func check(against entity: Schema.Entity) throws(GranaryError) {
        for (option, name) in attributes.map({ ("--attribute", $0) }) + (ordinal.map { [("--ordinal", $0)] } ?? []) {
            guard entity.attribute(named: name) == nil else { continue }
            let hint = NearestText.hint(for: name, in: entity.attributes.map(\.name))
            throw GranaryError(.usage, "\(option) \(name): \(entity.name) has no attribute \"\(name)\"\(hint)")
        }
    }
}
