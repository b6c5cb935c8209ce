package import GranaryBase

extension CSVReader {
    /// The file's dialect, and the limits that bound memory. The error of a limit that is passed names it.
    package struct Options: Sendable {
        /// How the file writes its characters. Nil: as its byte order mark says, UTF-8 without one.
        package var encoding: TextEncoding?
        /// The byte between two fields.
        package var delimiter = UInt8(ascii: ",")
        /// The byte around a quoted field; doubled inside it.
        package var quote = UInt8(ascii: "\"")
        /// Whether the first record names the columns.
        package var hasHeader = true
        /// The columns' names where there is no header. Nil: `column1`, `column2`, as many as the first record has.
        package var columns: [String]?
        /// How many physical lines are passed over before anything else.
        package var skipRows = 0
        /// A record that begins with this byte is a comment up to its physical line's end. Nil: no comments.
        package var comment: UInt8?
        /// How to read a blank line in a file of one column. In other files, blank lines are skipped.
        package var blankLines = BlankLines.skip
        /// Whether columns may have empty names. Otherwise a header with an empty name is refused.
        package var allowsUnnamedColumns = false
        /// What splits the bytes.
        package var splitting = CSVSplitting.standard
        /// Whether U+0000 may stand in the text; refused with its place otherwise.
        package var allowsNUL = false
        /// The most bytes of one field.
        package var maximumFieldBytes = 16 << 20
        /// The most bytes of one record as the file has it; at most 2^30.
        package var maximumRecordBytes = 64 << 20
        /// The most fields of one record.
        package var maximumFields = 10_000

        /// Commas, double quotes, a header and no comments.
        package init() {}

        /// Fields between tabs; quotes as in CSV.
        package static var tsv: Options {
            var options = Options()
            options.delimiter = UInt8(ascii: "\t")
            return options
        }

        /// What contradicts itself, as a sentence; nil where all fits together.
        var contradiction: String? {
            // Bytes above ASCII are parts of characters in UTF-8, and a line end cannot be anything else.
            let marks = [("delimiter", delimiter), ("quote", quote)] + (comment.map { [("comment", $0)] } ?? [])
            for (name, byte) in marks where byte >= 0x80 || byte == 0x0A || byte == 0x0D || byte == 0 {
                return "the \(name) must be one ASCII character other than a line end or U+0000"
            }
            if Set(marks.map(\.1)).count < marks.count {
                return "\(marks.map(\.0).formattedList) must be different characters"
            }
            if skipRows < 0 { return "the number of rows to skip is negative" }
            if hasHeader, columns != nil { return "names for the columns are for a file without a header" }
            if let columns, columns.isEmpty || columns.contains("") { return "a column's name is empty" }
            // Compared as bytes, as the data's own names are.
            if let columns, Set(columns.map { Array($0.utf8) }).count < columns.count {
                return "two columns have one name"
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
