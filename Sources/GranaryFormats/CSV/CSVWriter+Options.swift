package import GranaryBase

extension CSVWriter {
    /// The dialect of the output. ``CSVReader`` reads the default dialect with its default options.
    package struct Options: Sendable {
        /// The byte between two fields.
        package var delimiter = UInt8(ascii: ",")
        /// The byte around a field that needs it; doubled inside.
        package var quote = UInt8(ascii: "\"")
        /// The text for NULL, which is never quoted. An equal value is quoted.
        package var null = ""
        /// Whether the first record names the columns.
        package var hasHeader = true
        /// Whether a row of NULL alone in a file of one column is written, as a blank line, which readers skip.
        package var allowsBlankRows = false
        /// The separator of the elements of a list in one field, as a byte.
        package var listSeparator = UInt8(ascii: ";")
        /// The byte that begins a comment for readers of the file: a first field that begins with it is quoted.
        package var comment: UInt8?
        /// The form of dates; ISO 8601 by default.
        package var dates = DateStyle.iso8601
        /// The form of binary data; Base64 by default.
        package var binary = BinaryStyle.base64
        /// The form of infinities and NaN.
        package var nonFinite = NonFiniteStyle.error
        /// The encoding of the output, whose characters texts are checked for; the output converts them.
        package var encoding = TextEncoding.utf8
        /// The form of dates, fractions and Booleans. ``delimiter`` and ``quote`` have precedence over its own.
        package var form = TextForm()
        /// Counts dates that are not exact; nil if such a date is an error.
        package var rounded: RoundedDates?
        /// Whether fields that a spreadsheet would run as formulas begin with an apostrophe; see ``SpreadsheetText``.
        package var escapesFormulas = false

        /// Commas, double quotes, a header, and NULL as an empty field.
        package init() {}

        /// Fields between tabs; quotes as in CSV.
        package static var tsv: Options {
            var options = Options()
            options.delimiter = UInt8(ascii: "\t")
            return options
        }

        /// Sets the separators, the encoding and the form of values.
        package mutating func apply(_ form: TextForm, rounded: RoundedDates?) {
            if let delimiter = form.delimiter { self.delimiter = delimiter }
            if let quote = form.quote { self.quote = quote }
            encoding = form.encoding ?? .utf8
            self.form = form
            self.rounded = rounded
        }

        /// A sentence about a contradiction in the options; nil if there is none.
        var contradiction: String? {
            var reading = CSVReader.Options()
            reading.delimiter = delimiter
            reading.quote = quote
            reading.comment = comment
            if let contradiction = reading.contradiction { return contradiction }
            if listSeparator >= 0x80 || listSeparator == quote || listSeparator == UInt8(ascii: "\"") {
                return "the list separator must be one ASCII character other than a quote"
            }
            let isBare = null.utf8.allSatisfy { $0 != delimiter && $0 != quote && $0 != 0x0A && $0 != 0x0D }
            if !isBare { return "the text for NULL contains the delimiter, the quote or a line end" }
            for text in [null, form.trueText, form.falseText, String(form.decimalSeparator)].compactMap(\.self) {
                var text = text
                if let scalar = text.withUTF8({ encoding.firstMissing(in: $0) }) {
                    return "\(encoding.name) lacks the character \(scalar) of the text \"\(text)\""
                }
            }
            if let comment, null.utf8.first == comment { return "the text for NULL begins with the comment character" }
            if escapesFormulas, SpreadsheetText.isEscaped(null.utf8.first) {
                return "the text for NULL begins with a character that fields for spreadsheets escape"
            }
            if null.utf8.starts(with: [0xEF, 0xBB, 0xBF]) { return "the text for NULL begins with a byte order mark" }
            return nil
        }
    }
}
