extension CSVWriter {
    /// The dialect that is written. Its defaults are what ``CSVReader`` reads with its own.
    package struct Options: Sendable {
        /// The byte between two fields.
        package var delimiter = UInt8(ascii: ",")
        /// The byte around a field that needs it; doubled inside.
        package var quote = UInt8(ascii: "\"")
        /// How NULL is written: this text, never quoted. A value that has the same text is quoted.
        package var null = ""
        /// Whether the first record names the columns.
        package var hasHeader = true
        /// The byte between the elements of a list in one field.
        package var listSeparator = UInt8(ascii: ";")
        /// A byte that begins a comment for whoever reads the file: a record never begins with it bare.
        package var comment: UInt8?
        /// How dates are written; ISO 8601 by default.
        package var dates = DateStyle.iso8601
        /// How binary data is written; Base64 by default.
        package var binary = BinaryStyle.base64

        /// Commas, double quotes, a header, and NULL as an empty field.
        package init() {}

        /// Fields between tabs; quotes as in CSV.
        package static var tsv: Options {
            var options = Options()
            options.delimiter = UInt8(ascii: "\t")
            return options
        }

        /// What contradicts itself, as a sentence; nil where all fits together.
        var contradiction: String? {
            var reading = CSVReader.Options()
            reading.delimiter = delimiter
            reading.quote = quote
            reading.comment = comment
            if let contradiction = reading.contradiction { return contradiction }
            if listSeparator >= 0x80 || listSeparator == quote {
                return "the list separator must be one ASCII character other than the quote"
            }
            let isBare = null.utf8.allSatisfy { $0 != delimiter && $0 != quote && $0 != 0x0A && $0 != 0x0D }
            if !isBare { return "the text for NULL holds the delimiter, the quote or a line end" }
            if let comment, null.utf8.first == comment { return "the text for NULL begins as a comment does" }
            if null.utf8.starts(with: [0xEF, 0xBB, 0xBF]) { return "the text for NULL begins with a byte order mark" }
            return nil
        }
    }
}
