public import GranaryBase
public import GranaryFormats

/// The format of a source, and how it is written.
public struct SourceOptions: Sendable {
    /// The format; nil: the one that the file's name stands for.
    public var format: DataFormat?
    /// One ASCII character between fields, or any text between terms; nil: the format's own.
    public var delimiter: String?
    /// CSV: the byte around quoted fields; nil: `"`.
    public var quote: UInt8?
    /// CSV: lines that start with this byte are comments; nil: there are none.
    public var comment: UInt8?
    /// Nil: the one of the byte order mark, UTF-8 without a mark.
    public var encoding: TextEncoding?
    /// CSV: how many lines precede the header.
    public var skipRows = 0
    /// CSV: whether the first record names the columns.
    public var hasHeader = true
    /// CSV: the columns of a file without a header.
    public var columns: [String]?
    /// Whether text can contain U+0000.
    public var allowsNUL = false
    /// How to read a blank line in a CSV file of one column.
    public var blankLines = BlankLines.skip
    /// What splits CSV and TSV into fields.
    package var tokenizer = CSVSplitting.standard
    /// Whether CSV columns without a name are ignored; otherwise they are refused.
    public var ignoresUnnamed = false
    /// Constant tables: the attributes that each term has values of.
    public var attributes: [String]?
    /// Constant tables: the text between the values of a term with several attributes.
    public var fieldDelimiter: String?
    /// Constant tables: the integer attribute that receives the number of each term; nil for none.
    public var ordinal: String?
    /// Constant tables: the number of the first term.
    public var ordinalStart: Int64 = 0

    /// The format of the file's name, with its defaults.
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
    /// What contradicts itself or the formats of an import's sources, found before anything is opened.
    package func problems(for formats: [DataFormat]) -> [OptionProblem] {
        var problems: [OptionProblem] = []
        if skipRows < 0 { problems.append(OptionProblem("the number cannot be negative", option: "skip-rows")) }
        if columns != nil, hasHeader {
            problems.append(
                OptionProblem(
                    "names the columns of a file without a header; say --no-header (in a plan, no-header: true) too",
                    option: "columns"))
        }
        if encoding != nil, formats.contains(.plist) {
            problems.append(
                OptionProblem("is not for property lists, which say it themselves", option: "encoding", isMoot: true))
        }
        if formats.contains(where: { !$0.isDelimited }) {
            for (option, isSaid) in [
                ("quote", quote != nil), ("comment", comment != nil), ("skip-rows", skipRows > 0),
                ("no-header", !hasHeader), ("columns", columns != nil), ("blank-lines", blankLines != .skip),
            ] where isSaid {
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
            for (option, isSaid) in [
                ("attribute", attributes != nil), ("field-delimiter", fieldDelimiter != nil),
                ("ordinal", ordinal != nil),
            ] where isSaid {
                problems.append(OptionProblem("is for constant tables", option: option, isMoot: true))
            }
            return problems
        }
        let limit = TermsReader.Options.maximumDelimiterBytes
        let names = attributes ?? []
        if names.isEmpty {
            problems.append(OptionProblem("is needed: what the terms are values of", option: "attribute"))
        } else if names.contains("") {
            problems.append(OptionProblem("has an empty name", option: "attribute"))
        } else if Set(names).count < names.count {
            problems.append(OptionProblem("names one twice", option: "attribute"))
        } else if let ordinal, names.contains(ordinal) {
            problems.append(OptionProblem("is the same as attribute", option: "ordinal"))
        }
        if names.count > 1, fieldDelimiter?.isEmpty ?? true {
            problems.append(
                OptionProblem("is needed: what stands between the attributes of a term", option: "field-delimiter"))
        } else if names.count == 1, fieldDelimiter != nil {
            problems.append(OptionProblem("needs several attributes: key,name", option: "field-delimiter"))
        } else if (fieldDelimiter?.utf8.count ?? 0) > limit {
            problems.append(OptionProblem("is longer than \(limit) bytes", option: "field-delimiter"))
        }
        if delimiter?.isEmpty ?? true {
            problems.append(OptionProblem("is needed: what stands between the terms", option: "delimiter"))
        } else if (delimiter?.utf8.count ?? 0) > limit {
            problems.append(OptionProblem("is longer than \(limit) bytes", option: "delimiter"))
        }
        return problems
    }
}
