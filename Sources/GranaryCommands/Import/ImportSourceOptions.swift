import ArgumentParser
import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The options on files: format, encoding and syntax.
struct ImportSourceOptions: ParsableArguments {
    @Option(help: "The format of the files (default: the format that the extension names).")
    var format: DataFormat?

    @Option(
        help: ArgumentHelp(
            "The text encoding, such as windows-1252 (default: that of the byte order mark, or UTF-8).",
            valueName: "name"))
    var encoding: String?

    @Option(help: ArgumentHelp("The separator between fields (one byte), or between terms (any text).", valueName: "c"))
    var delimiter: String?

    @Option(help: ArgumentHelp("The quote character of fields (one byte).", valueName: "c"))
    var quote: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Skip this many lines before the header.", valueName: "n"))
    var skipRows = 0

    @Option(help: ArgumentHelp("Skip lines that begin with this byte.", valueName: "c"))
    var comment: String?

    @Flag(help: "The file has no header.")
    var noHeader = false

    @Option(help: ArgumentHelp("The columns of a file without a header, separated by commas.", valueName: "a,b,…"))
    var columns: String?

    @Option(help: "How to read a blank line in a CSV file of one column.")
    var blankLines = BlankLines.skip

    @Option(help: "How to read a row of delimiters alone in a CSV file of several columns.")
    var blankRows = BlankLines.skip

    @Option(
        help: ArgumentHelp(
            "The byte before a delimiter, quote or line end that is part of a field, such as a backslash.",
            valueName: "c"))
    var escape: String?

    @Option(help: "The parser that splits CSV and TSV into fields. Both produce the same records.")
    var tokenizer = CSVSplitting.standard

    @Flag(help: "CSV and TSV exported with --spreadsheet: remove the first apostrophe of each field.")
    var spreadsheet = false

    @Option(
        help: ArgumentHelp(
            "Where the records of a JSON document or property list are, such as data.items; entity=path if it has "
                + "several; repeatable.", valueName: "path"))
    var records: [String] = []

    @Option(
        help: ArgumentHelp(
            "The records are the members of an object; their names are in this column.", valueName: "column"))
    var recordKey: String?

    @Flag(help: "Accept U+0000 inside text.")
    var allowNul = false

    func format(of file: String) throws -> DataFormat {
        var options = SourceOptions()
        options.format = format
        guard let known = options.format(ofFile: file) else {
            if let tables = DatabaseFile.tableList(file) {
                throw ValidationError("\(file) is an SQLite database; pass --table (\(tables)) or --sql.")
            }
            if FileKind(file) == .folder {
                throw ValidationError(
                    "\(file) is a folder, and not all files in it have names of known formats, such as .csv; name the files to import."
                )
            }
            // The import refuses a file of another kind and names the kind, such as PDF.
            let content = FileKind(file) == .file ? try? FileContent(of: ByteSource(path: file)) : nil
            if content?.problem(of: file) != nil { return .csv }
            throw ValidationError(FormatText.unknown(input: file))
        }
        return known
    }

    func options(_ terms: ImportTermsOptions) throws -> SourceOptions {
        var options = SourceOptions()
        options.format = format
        options.delimiter = delimiter
        options.quote = try Self.byte(quote, "--quote")
        options.comment = try Self.byte(comment, "--comment")
        options.encoding = try Self.value(encoding, "--encoding", OptionText.encoding)
        options.skipRows = skipRows
        options.hasHeader = !noHeader
        options.columns = columns.map(OptionText.names)
        options.allowsNUL = allowNul
        options.blankLines = blankLines
        options.blankRows = blankRows
        options.escape = try Self.byte(escape, "--escape")
        options.tokenizer = tokenizer
        options.isForSpreadsheets = spreadsheet
        options.recordPlaces = records.map(OptionText.recordPlace)
        options.recordKey = recordKey
        options.attributes = terms.attribute.map(OptionText.names)
        options.fieldDelimiter = terms.fieldDelimiter
        options.ordinal = terms.ordinal
        options.ordinalStart = terms.ordinalStart
        return options
    }

    /// The options for a file of a format as words of a command line, without those that have their default values.
    func words(for file: DataFormat) -> [String] {
        var words: [String] = []
        func add(_ option: String, _ value: String?) {
            if let value { words += value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value] }
        }
        add("--format", format?.rawValue)
        if file != .plist { add("--encoding", encoding) }
        if file.isDelimited || file == .terms { add("--delimiter", delimiter) }
        if file.isDelimited {
            add("--quote", quote)
            add("--escape", escape)
            add("--skip-rows", skipRows == 0 ? nil : "\(skipRows)")
            add("--comment", comment)
            if noHeader { words.append("--no-header") }
            add("--columns", columns)
            add("--blank-lines", blankLines == .skip ? nil : blankLines.rawValue)
            add("--blank-rows", blankRows == .skip ? nil : blankRows.rawValue)
            if spreadsheet { words.append("--spreadsheet") }
        }
        if file.holdsSeveralEntities {
            for place in records { add("--records", place) }
            add("--record-key", recordKey)
        }
        if allowNul { words.append("--allow-nul") }
        return words
    }

    static func byte(_ text: String?, _ option: String) throws -> UInt8? {
        try value(text, option, OptionText.byte)
    }

    /// Parses the text of an option in the same way as plans do.
    ///
    /// - Throws: `ValidationError` if the text is not valid.
    static func value<Value>(
        _ text: String?, _ option: String, _ read: (String) throws(OptionProblem) -> Value
    ) throws -> Value? {
        guard let text else { return nil }
        do throws(OptionProblem) { return try read(text) } catch {
            throw ValidationError("\(option): \(error.message)" + (error.message.hasSuffix("?") ? "" : "."))
        }
    }
}
