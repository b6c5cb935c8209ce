package import GranaryBase
package import GranaryFormats

/// What a source is and how it is written: the options that readers need.
package struct SourceOptions: Sendable {
    /// Nil: what the file's name says.
    package var format: SourceFormat?
    /// One byte between fields, or any text between terms; nil: the format's own.
    package var delimiter: String?
    package var quote: UInt8?
    package var comment: UInt8?
    /// Nil: what the first bytes say, UTF-8 where they say nothing.
    package var encoding: TextEncoding?
    /// Lines before the header.
    package var skipRows = 0
    package var hasHeader = true
    /// The columns of a file without a header.
    package var columns: [String]?
    package var allowsNUL = false
    /// How to read a blank line in a CSV file of one column.
    package var blankLines = CSVReader.BlankLines.skip
    /// What splits CSV and TSV into fields.
    package var tokenizer = CSVSplitting.standard
    /// Whether CSV columns without a name are ignored; otherwise they are refused.
    package var ignoresUnnamed = false
    /// The columns that the terms of a constant table are in.
    package var attributes: [String]?
    /// What stands between the columns inside a term.
    package var fieldDelimiter: String?
    /// The column of each term's number.
    package var ordinal: String?
    package var ordinalStart: Int64 = 0

    package init() {}

    /// What a file is; nil where neither an option nor its name says it.
    package func format(of file: String) -> SourceFormat? { format ?? SourceFormat(fileName: file) }

    package func reader(_ bytes: ByteSource, format: SourceFormat) throws(GranaryError) -> any RecordReader {
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
    package func problems(for formats: [SourceFormat]) -> [OptionProblem] {
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

    private func termsProblems(for formats: [SourceFormat]) -> [OptionProblem] {
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
