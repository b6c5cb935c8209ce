import ArgumentParser
import Foundation
import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The options on values: how fields are parsed.
struct ImportValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An unquoted field with this text is NULL; repeatable (default: the empty field).", valueName: "text"))
    var null: [String] = []

    @Flag(help: "Read a quoted empty field as NULL.")
    var emptyIsNull = false

    @Flag(help: "Apply the texts of --null to quoted fields too.")
    var nullQuoted = false

    @Flag(
        help: """
            Remove spaces and tabs at both ends of a field, also around its quotes; --trim name,url only in these \
            columns.
            """)
    var trim = false

    /// The columns of `--trim a,b`, which ``TrimArgument`` rewrites: the parser has no options with an optional value.
    @Option(name: .customLong(TrimArgument.option), help: .private)
    var trimColumns: [String] = []

    @Option(
        name: .customLong("true"),
        help: ArgumentHelp("A word for true; repeatable. Without --true and --false: true, yes, 1.", valueName: "text"))
    var trueWords: [String] = []

    @Option(
        name: .customLong("false"),
        help: ArgumentHelp("A word for false; repeatable. Without --true and --false: false, no, 0.", valueName: "text")
    )
    var falseWords: [String] = []

    @Flag(help: "NULL in a required property becomes its default value.")
    var nullIsDefault = false

    @Flag(help: "Accept a Decimal that the store's column, a double, rounds.")
    var allowRounding = false

    @Flag(
        help: """
            Restore an export exactly, with the keys of $id, into a new store; broken rules of the model become \
            warnings.
            """)
    var asIs = false

    @Option(
        help: ArgumentHelp(
            "A date format: iso8601 (default), unix, unix-ms, core-data (seconds since 2001), excel (days since 1900), "
                + "excel-1904, dotnet (/Date(…)/), or a Unicode pattern such as d.M.yyyy HH:mm; repeatable, tried in "
                + "order.", valueName: "format"))
    var dateFormat: [String] = []

    @Option(
        help: ArgumentHelp("The language of month names, such as de or en_US (default: English).", valueName: "name"))
    var locale: String?

    @Option(
        help: ArgumentHelp("The time zone of dates that name none, such as Europe/Berlin or UTC.", valueName: "zone"))
    var timeZone: String?

    @Option(help: "How to treat a local time that occurs twice or does not exist in its time zone.")
    var dst = DaylightSavingPolicy.error

    @Option(help: "The encoding of binary data (default: base64).")
    var binary: BinaryStyle?

    @Option(help: ArgumentHelp("The decimal separator of numbers (default: .).", valueName: "c"))
    var decimalSeparator: String?

    @Option(
        help: ArgumentHelp(
            "The separator between groups of three digits (default: none): a character, or a code such as U+00A0.",
            valueName: "c"))
    var groupSeparator: String?

    @Option(
        help: ArgumentHelp(
            "A text before or behind numbers, such as €; repeatable. (1.00) and 1.00- are negative numbers then; an empty "
                + "text allows only these.", valueName: "text"))
    var currency: [String] = []

    @Flag(help: "Accept a whole number with a fraction of zeros, such as 12.00.")
    var allowZeroFraction = false

    @Option(help: "How to treat a file of a value that an exported table names and that does not exist.")
    var missingFiles = MissingFilePolicy.error

    func apply(to options: inout ImportOptions) throws {
        options.missingFiles = missingFiles
        if !null.isEmpty {
            options.nullTexts = null
            options.given.insert(.nullTexts)
        }
        options.nullIsDefault = nullIsDefault
        options.allowsRounding = allowRounding
        options.allowsZeroFraction = allowZeroFraction
        options.restoresAsIs = asIs
        options.emptyIsNull = emptyIsNull
        options.nullQuoted = nullQuoted
        options.trims = trim
        for column in trimColumns.flatMap(OptionText.names) {
            options.columnOptions[column, default: ColumnOptions()].trims = true
        }
        if !currency.isEmpty { options.currencies = currency }
        if !trueWords.isEmpty { options.trueTexts = trueWords }
        if !falseWords.isEmpty { options.falseTexts = falseWords }
        if let word = trueWords.first(where: falseWords.contains) {
            throw ValidationError("\"\(word)\" cannot be both --true and --false.")
        }
        let formats = try dateFormat.compactMap {
            try ImportSourceOptions.value($0, "--date-format", OptionText.dateFormat)
        }
        if !formats.isEmpty {
            options.dateFormats = formats
            options.given.insert(.dateFormats)
        }
        options.locale = try ImportSourceOptions.value(locale, "--locale", OptionText.locale)
        options.daylightSaving = dst
        if let binary {
            options.binaryFormat = binary
            options.given.insert(.binaryFormat)
        }
        options.timeZone = try ImportSourceOptions.value(timeZone, "--time-zone", OptionText.timeZone)
        let separator = OptionText.separator
        if let decimal = try ImportSourceOptions.value(decimalSeparator, "--decimal-separator", separator) {
            options.decimalSeparator = decimal
        }
        options.groupSeparator = try ImportSourceOptions.value(groupSeparator, "--group-separator", separator)
    }
}
