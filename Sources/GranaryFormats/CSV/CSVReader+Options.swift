package import GranaryBase

extension CSVReader {
    /// The file's dialect, and the limits that bound memory. An error names the exceeded limit.
    package struct Options: Sendable {
        /// The text encoding. If nil, the byte order mark decides; without one it is UTF-8.
        package var encoding: TextEncoding?
        /// The byte between two fields.
        package var delimiter = UInt8(ascii: ",")
        /// Whether a first line such as `sep=;` must name ``delimiter`` to be skipped. Otherwise it sets the delimiter.
        package var isDelimiterFixed = false
        /// The byte around a quoted field; doubled inside it.
        package var quote = UInt8(ascii: "\"")
        /// A byte that is removed before a delimiter, a quote, a line end and itself, which are then part of the field;
        /// nil if there is none. Before other bytes it is text.
        package var escape: UInt8?
        /// Whether spaces and tabs around a quoted field are allowed. They are not part of the field.
        package var skipsSpaces = false
        /// Whether the first record names the columns.
        package var hasHeader = true
        /// The columns' names if there is no header. If nil, they are `column1`, `column2` and so on, as many as the
        /// first record has fields.
        package var columns: [String]?
        /// The number of physical lines to skip at the beginning.
        package var skipRows = 0
        /// A record that begins with this byte is a comment up to the end of its physical line. If nil, there are no
        /// comments.
        package var comment: UInt8?
        /// How to read a blank line in a file of one column. In other files, blank lines are skipped.
        package var blankLines = BlankLines.skip
        /// How to read a row of delimiters alone, in a file of several columns.
        package var blankRows = BlankLines.null
        /// Whether columns may have empty names. Otherwise a header with an empty name is refused.
        package var allowsUnnamedColumns = false
        /// The splitter.
        package var splitting = CSVSplitting.standard
        /// Whether text may contain U+0000. Otherwise it is refused with its position.
        package var allowsNUL = false
        /// The maximum number of bytes of one field.
        package var maximumFieldBytes = 16 << 20
        /// The maximum number of source bytes of one record; at most 2^30.
        package var maximumRecordBytes = 64 << 20
        /// The maximum number of fields of one record.
        package var maximumFields = 10_000

        /// Commas, double quotes, a header and no comments.
        package init() {}

        /// Whether ``escape`` before a byte is removed.
        func needsEscape(_ byte: UInt8) -> Bool {
            byte == delimiter || byte == quote || byte == escape || byte == 0x0A || byte == 0x0D
        }

        /// Whether a field is quoted as RFC 4180 says, or not at all.
        var isStrict: Bool { escape == nil && !skipsSpaces }

        /// Fields between tabs; quotes as in CSV.
        package static var tsv: Options {
            var options = Options()
            options.delimiter = UInt8(ascii: "\t")
            return options
        }

        /// A sentence about a contradiction in the options; nil if there is none.
        var contradiction: String? {
            // Bytes above ASCII are parts of UTF-8 characters, and line ends have a fixed meaning.
            let others = [("comment", comment), ("escape", escape)].compactMap { name, byte in byte.map { (name, $0) } }
            let marks = [("delimiter", delimiter), ("quote", quote)] + others
            for (name, byte) in marks where byte >= 0x80 || byte == 0x0A || byte == 0x0D || byte == 0 {
                return "the \(name) must be one ASCII character other than a line end or U+0000"
            }
            if Set(marks.map(\.1)).count < marks.count {
                return "\(marks.map(\.0).formattedList) must be different characters"
            }
            if skipRows < 0 { return "the number of rows to skip is negative" }
            if hasHeader, columns != nil { return "column names are only allowed for a file without a header" }
            if let columns, columns.isEmpty || columns.contains("") { return "a column's name is empty" }
            // Compared as bytes, as names in a header are.
            if let columns, Set(columns.map { Array($0.utf8) }).count < columns.count {
                return "two columns have the same name"
            }
            if maximumFieldBytes < 1 || maximumFields < 1 || maximumRecordBytes < 1 {
                return "a limit must be positive"
            }
            if maximumRecordBytes > 1 << 30 { return "the limit of a record's bytes is at most \(1 << 30)" }
            return nil
        }
    }
}

extension [String] {
    /// `a`, `a and b`, `a, b and c`.
    fileprivate var formattedList: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
