public import GranaryBase
public import GranaryFormats

/// The format of a source and its details.
public struct SourceOptions: Sendable {
    /// The format; nil for the format that the file's name determines.
    public var format: DataFormat?
    /// The ASCII character between fields, or the text between terms; nil for the format's default.
    public var delimiter: String?
    /// CSV: the byte around quoted fields; nil for `"`.
    public var quote: UInt8?
    /// CSV: the byte at the start of comment lines; nil if there are no comments.
    public var comment: UInt8?
    /// CSV: the byte that is removed before a delimiter, a quote, a line end and itself, such as a backslash; nil if
    /// there is none.
    public var escape: UInt8?
    /// CSV: whether spaces and tabs around a quoted field are allowed. They are not part of the field.
    public var skipsSpaces = false
    /// The text encoding; nil for the encoding of the byte order mark, or UTF-8 without one.
    public var encoding: TextEncoding?
    /// CSV: the number of lines before the header.
    public var skipRows = 0
    /// CSV: whether the first record names the columns.
    public var hasHeader = true
    /// CSV: the columns of a file without a header.
    public var columns: [String]?
    /// Whether text can contain U+0000.
    public var allowsNUL = false
    /// How to read a blank line in a CSV file of one column.
    public var blankLines = BlankLines.skip
    /// How to read a row of delimiters alone in a CSV file of several columns. `granary import` and seed plans skip it by
    /// default, because spreadsheets write such rows below a table.
    public var blankRows = BlankLines.null
    /// CSV and TSV: whether the file was exported for spreadsheets (``ExportOptions/isForSpreadsheets``), so that the
    /// first apostrophe of each field is removed.
    public var isForSpreadsheets = false
    /// SQLite databases: the table or view whose rows are read.
    public var table: String?
    /// SQLite databases: the query whose rows are read, one statement that only reads.
    public var query: String?
    /// SQLite databases: the number of seconds to wait while another process has the file locked.
    package var busyTimeout = 5.0
    /// The implementation that splits CSV and TSV into fields.
    package var tokenizer = CSVSplitting.standard
    /// Whether a CSV header may have columns without a name; otherwise it is refused. To ignore these columns, also add
    /// the empty name to ``ImportOptions/ignoredColumns``.
    public var ignoresUnnamed = false
    /// JSON and property lists: where the records are. If empty, the document is an array of records, one record, or a
    /// document of several entities.
    public var recordPlaces: [RecordPlace] = []
    /// JSON and property lists: the column for the names of records that are the members of an object. If nil, such an
    /// object is one record. Without ``recordPlaces`` the document itself is the object.
    public var recordKey: String?
    /// Constant tables: the attributes whose values a term has.
    public var attributes: [String]?
    /// Constant tables: the text between the values of a term with several attributes.
    public var fieldDelimiter: String?
    /// Constant tables: the integer attribute that receives the number of each term; nil for none.
    public var ordinal: String?
    /// Constant tables: the number of the first term.
    public var ordinalStart: Int64 = 0

    /// The defaults of the format that the file's name determines.
    public init() {}

    /// The format of a file; nil if neither an option nor its name determines it.
    package func format(of file: String) -> DataFormat? { format ?? DataFormat(fileName: file) }

    /// The format of the file at a path: that of the options, or of its name, or of its first bytes. Nil if none of them
    /// tells it.
    package func format(ofFile path: String) -> DataFormat? {
        if let known = format(of: path) { return known }
        guard FileKind(path) == .file, case .data(let found)? = try? FileContent(of: ByteSource(path: path)) else {
            return nil
        }
        return found
    }

    package func reader(_ bytes: ByteSource, format: DataFormat) throws(GranaryError) -> any RecordReader {
        switch format {
        case .csv, .tsv:
            let reader = try CSVReader(bytes, options: csvOptions(isTSV: format == .tsv))
            if isForSpreadsheets { return SpreadsheetReader(reader) }
            return reader
        case .json, .ndjson:
            var options = JSONReader.Options()
            options.lines = format == .ndjson
            options.allowsNUL = allowsNUL
            options.encoding = encoding
            if format == .json { (options.places, options.recordKey) = (places, recordKey) }
            return JSONReader(bytes, options: options)
        case .plist:
            var options = PropertyListReader.Options()
            options.allowsNUL = allowsNUL
            (options.places, options.recordKey) = (places, recordKey)
            return PropertyListReader(bytes, options: options)
        case .terms: return try TermsReader(bytes, options: termsOptions)
        }
    }

    /// ``recordPlaces``, or the document itself for an object of records.
    private var places: [RecordPlace] {
        recordPlaces.isEmpty && recordKey != nil ? [RecordPlace(RecordPlace.document)] : recordPlaces
    }

    var termsOptions: TermsReader.Options {
        var options = TermsReader.Options(
            delimiter: delimiter ?? "", fields: attributes ?? [""], fieldDelimiter: fieldDelimiter, ordinal: ordinal,
            ordinalStart: ordinalStart)
        options.allowsNUL = allowsNUL
        options.encoding = encoding
        return options
    }

    private func csvOptions(isTSV: Bool) throws(GranaryError) -> CSVReader.Options {
        var options = isTSV ? CSVReader.Options.tsv : CSVReader.Options()
        if let delimiter {
            options.isDelimiterFixed = true
            do { options.delimiter = try OptionText.byte(delimiter) } catch {
                throw GranaryError(.usage, "delimiter: \(error.message)")
            }
        }
        if let quote { options.quote = quote }
        options.comment = comment
        options.skipRows = skipRows
        options.hasHeader = hasHeader
        options.columns = columns
        options.allowsNUL = allowsNUL
        options.allowsUnnamedColumns = ignoresUnnamed
        options.blankLines = blankLines
        options.blankRows = blankRows
        options.escape = escape
        options.skipsSpaces = skipsSpaces
        options.splitting = tokenizer
        options.encoding = encoding
        return options
    }
}

extension SourceOptions {
    /// The options for CSV and TSV alone, and whether they are set.
    var optionsOfDelimited: [(option: String, isSet: Bool)] {
        [
            ("quote", quote != nil), ("comment", comment != nil), ("skip-rows", skipRows > 0),
            ("no-header", !hasHeader), ("columns", columns != nil), ("blank-lines", blankLines != .skip),
            ("escape", escape != nil), ("spreadsheet", isForSpreadsheets),
        ]
    }

    /// The options for constant tables alone, and whether they are set.
    var optionsOfTerms: [(option: String, isSet: Bool)] {
        [("attribute", attributes != nil), ("field-delimiter", fieldDelimiter != nil), ("ordinal", ordinal != nil)]
    }

    /// The options that contradict each other or the formats of an import's sources.
    package func problems(for formats: [DataFormat]) -> [OptionProblem] {
        if databaseContent != nil { return databaseProblems }
        var problems: [OptionProblem] = []
        func add(_ option: String, _ message: String, isMoot: Bool = false, if isWrong: Bool = true) {
            if isWrong { problems.append(OptionProblem(message, option: option, isMoot: isMoot)) }
        }
        add("skip-rows", "the number cannot be negative", if: skipRows < 0)
        add(
            "columns", "names the columns of a file without a header, but no-header is not set",
            if: columns != nil && hasHeader)
        add(
            "encoding", "is not for property lists, which contain their encoding", isMoot: true,
            if: encoding != nil && formats.contains(.plist))
        if let problem = recordPlaces.problem { add("records", problem) }
        add("record-key", "contains an empty name", if: recordKey == "")
        if formats.contains(where: { $0 != .json && $0 != .plist }) {
            for (option, isSet) in [("records", !recordPlaces.isEmpty), ("record-key", recordKey != nil)] {
                add(option, "is for JSON documents and property lists", isMoot: true, if: isSet)
            }
        }
        if formats.contains(where: { !$0.isDelimited }) {
            for (option, isSet) in optionsOfDelimited {
                add(option, "is for CSV and TSV", isMoot: true, if: isSet)
            }
        } else if let delimiter {
            do { _ = try OptionText.byte(delimiter) } catch { add("delimiter", error.message) }
        }
        guard formats.contains(.terms) else {
            for (option, isSet) in optionsOfTerms {
                add(option, "is for constant tables", isMoot: true, if: isSet)
            }
            return problems
        }
        let names = attributes ?? []
        if names.isEmpty {
            add("attribute", "is needed: the attribute whose values the terms are")
        } else if names.contains("") {
            add("attribute", "contains an empty name")
        } else if Set(names).count < names.count {
            add("attribute", "names one twice")
        } else if let ordinal, names.contains(ordinal) {
            add("ordinal", "is the same as attribute")
        }
        let limit = TermsReader.Options.maximumDelimiterBytes
        if names.count > 1, fieldDelimiter?.isEmpty ?? true {
            add("field-delimiter", "is needed: the text between the values of a term")
        } else if names.count == 1, fieldDelimiter != nil {
            add("field-delimiter", "needs several attributes: key,name")
        } else if (fieldDelimiter?.utf8.count ?? 0) > limit {
            add("field-delimiter", "is longer than \(limit) bytes")
        }
        if delimiter?.isEmpty ?? true {
            add("delimiter", "is needed: the text between the terms")
        } else if (delimiter?.utf8.count ?? 0) > limit {
            add("delimiter", "is longer than \(limit) bytes")
        }
        return problems
    }
}

extension SourceOptions {
    /// Sets what a sidecar says and the options do not.
    mutating func apply(_ sidecar: ExportSidecar, _ format: DataFormat) {
        guard format != .plist else { return }
        encoding = encoding ?? sidecar.form.encoding
        guard format.isDelimited else { return }
        if sidecar.isForSpreadsheets { isForSpreadsheets = true }
        delimiter = delimiter ?? sidecar.form.delimiter.map { String(decoding: [$0], as: UTF8.self) }
        quote = quote ?? sidecar.form.quote
    }
}
