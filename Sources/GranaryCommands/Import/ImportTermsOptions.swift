import ArgumentParser
import GranaryBase
import GranaryImport
import GranaryModel
import GranaryRecords

/// The options on constant tables: values of one or a few attributes in one text.
struct ImportTermsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A constant table: terms separated by --delimiter.", valueName: "text"))
    var terms: String?

    @Option(
        help: ArgumentHelp(
            "The attribute of the terms; several, separated by commas, with --field-delimiter.",
            valueName: "attribute"))
    var attribute: String?

    @Option(
        help: ArgumentHelp(
            "The separator between the values inside a term (any text), such as = for key=name.", valueName: "text"))
    var fieldDelimiter: String?

    @Option(help: ArgumentHelp("The integer attribute that receives the number of the term.", valueName: "attribute"))
    var ordinal: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of the first term.", valueName: "n"))
    var ordinalStart: Int64 = 0

    /// Checks the attributes. They are named on the command line, so an unknown one is wrong usage.
    func check(against entity: Schema.Entity) throws(GranaryError) {
        let attributes = attribute.map(OptionText.names) ?? []
        for (option, name) in attributes.map({ ("--attribute", $0) }) + (ordinal.map { [("--ordinal", $0)] } ?? []) {
            guard entity.attribute(named: name) == nil else { continue }
            let hint = NearestText.hint(for: name, in: entity.attributes.map(\.name))
            throw GranaryError(.usage, "\(option) \(name): \(entity.name) has no attribute \"\(name)\"\(hint)")
        }
    }
}
