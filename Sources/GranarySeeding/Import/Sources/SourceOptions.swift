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
    /// The implementation that splits CSV and TSV into fields.
    package var tokenizer = CSVSplitting.standard
    /// Whether CSV columns without a name are ignored; otherwise they are refused.
    public var ignoresUnnamed = false
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

    package func reader(_ bytes: ByteSource, format: DataFormat) throws(GranaryError) -> any RecordReader {
        switch format {
        case .csv, .tsv: return try CSVReader(bytes, options: csvOptions(isTSV: format == .tsv))
        case .json, .ndjson:
            var options = JSONReader.Options()
            options.lines = format == .ndjson
            options.allowsNUL = allowsNUL
            options.encoding = encoding
            return JSONReader(bytes, options: options)
        case .plist:
            var options = PropertyListReader.Options()
            options.allowsNUL = allowsNUL
            return PropertyListReader(bytes, options: options)
        case .terms: return try TermsReader(bytes, options: termsOptions)
        }
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
        options.splitting = tokenizer
        options.encoding = encoding
        return options
    }
}

extension SourceOptions {
    /// The options that contradict each other or the formats of an import's sources.
    package func problems(for formats: [DataFormat]) -> [OptionProblem] {
        var problems: [OptionProblem] = []
        if skipRows < 0 { problems.append(OptionProblem("the number cannot be negative", option: "skip-rows")) }
        if columns != nil, hasHeader {
            problems.append(
                OptionProblem(
                    "names the columns of a file without a header, but no-header is not set",
                    option: "columns"))
        }
        if encoding != nil, formats.contains(.plist) {
            problems.append(
                OptionProblem(
                    "is not for property lists, which contain their encoding", option: "encoding", isMoot: true))
        }
        if formats.contains(where: { !$0.isDelimited }) {
            for (option, isSet) in [
                ("quote", quote != nil), ("comment", comment != nil), ("skip-rows", skipRows > 0),
                ("no-header", !hasHeader), ("columns", columns != nil), ("blank-lines", blankLines != .skip),
            ] where isSet {
                problems.append(OptionProblem("is for CSV and TSV", option: option, isMoot: true))
            }
        } else if let delimiter {
            do { _ = try OptionText.byte(delimiter) } catch {
                problems.append(OptionProblem(error.message, option: "delimiter"))
            }
        }
        return problems + termsProblems(for: formats)
    }

    private func termsProblems(for formats: [DataFormat]) -> [OptionProblem] {
        var problems: [OptionProblem] = []
        guard formats.contains(.terms) else {
            for (option, isSet) in [
                ("attribute", attributes != nil), ("field-delimiter", fieldDelimiter != nil),
                ("ordinal", ordinal != nil),
            ] where isSet {
                problems.append(OptionProblem("is for constant tables", option: option, isMoot: true))
            }
            return problems
        }
        let limit = TermsReader.Options.maximumDelimiterBytes
        let names = attributes ?? []
        if names.isEmpty {
            problems.append(OptionProblem("is needed: the attribute whose values the terms are", option: "attribute"))
        } else if names.contains("") {
            problems.append(OptionProblem("contains an empty name", option: "attribute"))
        } else if Set(names).count < names.count {
            problems.append(OptionProblem("names one twice", option: "attribute"))
        } else if let ordinal, names.contains(ordinal) {
            problems.append(OptionProblem("is the same as attribute", option: "ordinal"))
        }
        if names.count > 1, fieldDelimiter?.isEmpty ?? true {
            problems.append(
                OptionProblem("is needed: the text between the values of a term", option: "field-delimiter"))
        } else if names.count == 1, fieldDelimiter != nil {
            problems.append(OptionProblem("needs several attributes: key,name", option: "field-delimiter"))
        } else if (fieldDelimiter?.utf8.count ?? 0) > limit {
            problems.append(OptionProblem("is longer than \(limit) bytes", option: "field-delimiter"))
        }
        if delimiter?.isEmpty ?? true {
            problems.append(OptionProblem("is needed: the text between the terms", option: "delimiter"))
        } else if (delimiter?.utf8.count ?? 0) > limit {
            problems.append(OptionProblem("is longer than \(limit) bytes", option: "delimiter"))
        }
        return problems
    }
}
