import ArgumentParser
import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The options on the form of text files: separators, encoding, dates and words.
struct TextFormOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "CSV for a spreadsheet of a country: separators, byte order mark, dates and words of excel-de, and "
                + "--spreadsheet. Dates need --time-zone. The options below have precedence.", valueName: "name"))
    var named: NamedTextForm?

    @Option(
        help: ArgumentHelp(
            "The separator between fields (one byte), or between terms (any text).", valueName: "c"))
    var delimiter: String?

    @Option(help: ArgumentHelp("The quote character of fields (one byte).", valueName: "c"))
    var quote: String?

    @Option(
        help: ArgumentHelp(
            "The text encoding, such as windows-1252 (default: utf-8). A character that it lacks is an error.",
            valueName: "name"))
    var encoding: String?

    @Flag(help: "Begin the file with a byte order mark, by which Excel recognises UTF-8.")
    var bom = false

    @Option(help: ArgumentHelp("The decimal separator of numbers (default: .).", valueName: "c"))
    var decimalSeparator: String?

    @Option(
        help: ArgumentHelp(
            "A date format: iso8601 (default), unix, unix-ms, core-data, or a Unicode pattern such as dd.MM.yyyy; "
                + "repeatable: a date has the first format that expresses it exactly.", valueName: "format"))
    var dateFormat: [String] = []

    @Option(
        help: ArgumentHelp("The language of month names, such as de or en_US (default: English).", valueName: "name"))
    var locale: String?

    @Option(help: ArgumentHelp("The time zone of dates, such as Europe/Berlin (default: UTC).", valueName: "zone"))
    var timeZone: String?

    @Flag(
        help: "Write the nearest text of a date that no format expresses exactly; a warning counts them.")
    var roundDates = false

    @Option(name: .customLong("true"), help: ArgumentHelp("The word for true.", valueName: "text"))
    var trueWord: String?

    @Option(name: .customLong("false"), help: ArgumentHelp("The word for false.", valueName: "text"))
    var falseWord: String?

    /// The form for a format.
    ///
    /// - Throws: `ValidationError` for values that are not valid or do not apply to the format.
    func form(for format: DataFormat) throws -> TextForm {
        guard named == nil || format == .csv else { throw ValidationError("--for applies only to csv.") }
        var form = named?.form ?? TextForm()
        if format != .terms, let delimiter {
            form.delimiter = try ImportSourceOptions.byte(delimiter, "--delimiter")
        }
        if let quote { form.quote = try ImportSourceOptions.byte(quote, "--quote") }
        if let encoding = try ImportSourceOptions.value(encoding, "--encoding", OptionText.encoding) {
            form.encoding = encoding
            // The mark of a named form is that of UTF-8.
            if !encoding.isUnicode { form.hasByteOrderMark = false }
        }
        if bom { form.hasByteOrderMark = true }
        if let separator = try ImportSourceOptions.value(
            decimalSeparator, "--decimal-separator", OptionText.separator)
        {
            form.decimalSeparator = separator
        }
        let formats = try dateFormat.compactMap {
            try ImportSourceOptions.value($0, "--date-format", OptionText.dateFormat)
        }
        if !formats.isEmpty { form.dateFormats = formats }
        form.locale = try ImportSourceOptions.value(locale, "--locale", OptionText.locale)
        form.timeZone = try ImportSourceOptions.value(timeZone, "--time-zone", OptionText.timeZone)
        if let trueWord { form.trueText = trueWord }
        if let falseWord { form.falseText = falseWord }
        if let problem = form.problem(for: format) { throw ValidationError("--\(problem.option): \(problem.reason).") }
        if roundDates, !form.changesDates {
            throw ValidationError("--round-dates needs --date-format; other forms of dates are exact.")
        }
        return form
    }

    /// Whether an option is given.
    var isEmpty: Bool {
        named == nil && delimiter == nil && quote == nil && encoding == nil && !bom && decimalSeparator == nil
            && dateFormat.isEmpty && locale == nil && timeZone == nil && !roundDates && trueWord == nil
            && falseWord == nil
    }
}
