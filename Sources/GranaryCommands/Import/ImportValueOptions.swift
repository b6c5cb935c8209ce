import GranaryFormats
import ArgumentParser
import Foundation
import GranaryBase
import GranarySeeding

/// How fields are read as values.
struct ImportValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An unquoted field with this text is NULL; repeatable. Without it, the empty field is.", valueName: "text"))
    var null: [String] = []

    @Flag(help: "Read a quoted empty field as NULL.")
    var emptyIsNull = false

    @Flag(help: "Apply --null to quoted fields too.")
    var nullQuoted = false

    @Flag(help: "Remove spaces and tabs at both ends of a field.")
    var trim = false

    @Option(
        name: .customLong("true"),
        help: ArgumentHelp("A word for true; repeatable. Without it and --false: true, yes and 1.", valueName: "text"))
    var trueWords: [String] = []

    @Option(name: .customLong("false"), help: ArgumentHelp("A word for false; repeatable.", valueName: "text"))
    var falseWords: [String] = []

    @Flag(help: "NULL in a required property with a default takes the default.")
    var nullIsDefault = false

    @Flag(help: "Accept a Decimal that the store's column rounds.")
    var allowRounding = false

    @Option(
        help: ArgumentHelp(
            "How dates are written: a Unicode date pattern such as d.M.yyyy HH:mm, iso8601, unix, unix-ms or core-data "
                + "(seconds since 2001); repeatable, all are tried.", valueName: "format"))
    var dateFormat: [String] = []

    @Option(
        help: ArgumentHelp("The language of month names, such as de or en_US; without it, English.", valueName: "name"))
    var locale: String?

    @Option(help: ArgumentHelp("The zone of dates that name none, such as Europe/Berlin or UTC.", valueName: "zone"))
    var timeZone: String?

    @Option(help: "A local time that occurs twice or does not exist in its zone: error, earlier or later.")
    var dst = DaylightSavingPolicy.error

    @Option(help: "How binary data is written: base64 or hex.")
    var binary = BinaryStyle.base64

    @Option(help: ArgumentHelp("What stands before the decimals of a number.", valueName: "c"))
    var decimalSeparator: String?

    @Option(help: ArgumentHelp("What stands between groups of three digits.", valueName: "c"))
    var groupSeparator: String?

    func apply(to options: inout ImportOptions) throws {
        if !null.isEmpty { options.nullTexts = null }
        options.nullIsDefault = nullIsDefault
        options.allowsRounding = allowRounding
        options.emptyIsNull = emptyIsNull
        options.nullQuoted = nullQuoted
        options.trims = trim
        if !trueWords.isEmpty { options.trueTexts = trueWords }
        if !falseWords.isEmpty { options.falseTexts = falseWords }
        if let word = trueWords.first(where: falseWords.contains) {
            throw ValidationError("--true and --false: \"\(word)\" is both true and false.")
        }
        let formats = try dateFormat.compactMap {
            try ImportSourceOptions.value($0, "--date-format", OptionText.dateFormat)
        }
        if !formats.isEmpty { options.dateFormats = formats }
        options.locale = try ImportSourceOptions.value(locale, "--locale", OptionText.locale)
        options.daylightSaving = dst
        options.binaryFormat = binary
        options.timeZone = try ImportSourceOptions.value(timeZone, "--time-zone", OptionText.timeZone)
        if let byte = try ImportSourceOptions.byte(decimalSeparator, "--decimal-separator") {
            options.decimalSeparator = byte
        }
        options.groupSeparator = try ImportSourceOptions.byte(groupSeparator, "--group-separator")
    }
}
