package import GranaryBase

/// The number of fields of each row of delimited text, to find its dialect. Rows of different widths are not errors
/// here.
package struct CSVWidths {
    package struct Row {
        /// The physical line in which it begins.
        package let line: Int
        /// The number of fields; 0 for a row whose quoting is broken.
        package let width: Int
        package let quotedFields: Int
    }

    package private(set) var rows: [Row] = []

    /// - Parameters:
    ///   - text: the beginning of a file, in whole lines.
    ///   - limit: the maximum number of rows.
    /// - Throws: ``GranaryError`` with code `usage` if the options contradict each other.
    package init(_ text: [UInt8], options: CSVReader.Options, limit: Int) throws(GranaryError) {
        if let contradiction = options.contradiction { throw GranaryError(.usage, contradiction) }
        let tokenizer = try CSVTokenizer(
            source: ByteSource(bytes: text, name: ""), options: options, chunkBytes: max(1, text.count))
        while rows.count < limit, let row = try tokenizer.next() {
            switch row.problem {
            case .none:
                let fields = tokenizer.fields(of: row)
                let quoted = fields.count { $0.kind == .quoted }
                rows.append(Row(line: row.line, width: fields.count, quotedFields: quoted))
            case .blankLine: continue
            default: rows.append(Row(line: row.line, width: 0, quotedFields: 0))
            }
            if row.problem.endsReading { break }
        }
    }
}
