import ArgumentParser
import Foundation
import GranarySeeding

/// How fields are read as values.
struct ImportValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An unquoted field with this text is NULL; repeatable. Without it, the empty field is.", valueName: "text"))
    var null: [String] = []

    @Flag(help: "NULL in a required property with a default takes the default.")
    var nullIsDefault = false

    @Flag(help: "Accept a Decimal that the store's column rounds.")
    var allowRounding = false

    @Option(
        help: ArgumentHelp(
            "How dates are written: yyyy MM dd HH mm ss SSS Z XXX and other text; or iso8601, or seconds (since 2001).",
            valueName: "format"))
    var dateFormat: String?

    @Option(help: ArgumentHelp("The zone of dates that name none, such as Europe/Berlin or UTC.", valueName: "zone"))
    var timeZone: String?

    @Option(help: "How binary data is written: base64 or hex.")
    var binary = ImportOptions.BinaryFormat.base64

    @Option(help: ArgumentHelp("What stands before the decimals of a number.", valueName: "c"))
    var decimalSeparator: String?

    @Option(help: ArgumentHelp("What stands between groups of three digits.", valueName: "c"))
    var groupSeparator: String?

    func apply(to options: inout ImportOptions) throws {
        if !null.isEmpty { options.nullTexts = null }
        options.nullIsDefault = nullIsDefault
        options.allowsRounding = allowRounding
        if let format = try ImportSourceOptions.value(dateFormat, "--date-format", OptionText.dateFormat) {
            options.dateFormat = format
        }
        options.binaryFormat = binary
        options.timeZone = try ImportSourceOptions.value(timeZone, "--time-zone", OptionText.timeZone)
        if let byte = try ImportSourceOptions.byte(decimalSeparator, "--decimal-separator") {
            options.decimalSeparator = byte
        }
        options.groupSeparator = try ImportSourceOptions.byte(groupSeparator, "--group-separator")
    }
}
