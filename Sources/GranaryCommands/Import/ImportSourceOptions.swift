import ArgumentParser
import GranaryFormats

/// What a file is and how it is written.
struct ImportSourceOptions: ParsableArguments {
    @Option(help: "csv, tsv, json, ndjson, plist or terms; without it, what the file's name says.")
    var format: ImportFormat?

    @Option(help: ArgumentHelp("What stands between fields: one byte; between terms any text.", valueName: "c"))
    var delimiter: String?

    @Option(help: ArgumentHelp("What fields are quoted with: one byte.", valueName: "c"))
    var quote: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Skip this many lines before the header.", valueName: "n"))
    var skipRows = 0

    @Option(help: ArgumentHelp("Skip lines that begin with this byte.", valueName: "c"))
    var comment: String?

    @Flag(help: "The file has no header; name its columns with --columns.")
    var noHeader = false

    @Option(help: ArgumentHelp("The columns of a file without a header, between commas.", valueName: "a,b,…"))
    var columns: String?

    @Flag(help: "Accept U+0000 inside text.")
    var allowNul = false

    func format(of file: String) throws -> ImportFormat {
        if let format { return format }
        guard let known = ImportFormat(fileName: file) else {
            throw ValidationError("say --format: the name of \(file) does not tell the format.")
        }
        return known
    }

    func check(against formats: [ImportFormat]) throws {
        if skipRows < 0 { throw ValidationError("--skip-rows cannot be negative.") }
        let isDelimited = formats.allSatisfy { $0 == .csv || $0 == .tsv }
        if !isDelimited, quote != nil || comment != nil || noHeader || columns != nil || skipRows > 0 {
            throw ValidationError("--quote, --comment, --skip-rows, --no-header and --columns are for CSV and TSV.")
        }
        if columns != nil, !noHeader {
            throw ValidationError("--columns names the columns of a file without a header; say --no-header too.")
        }
        if isDelimited {
            _ = try Self.byte(delimiter, "--delimiter")
            _ = try Self.byte(quote, "--quote")
            _ = try Self.byte(comment, "--comment")
        }
    }

    func csvOptions(isTSV: Bool) throws -> CSVReader.Options {
        var options = isTSV ? CSVReader.Options.tsv : CSVReader.Options()
        if let byte = try Self.byte(delimiter, "--delimiter") { options.delimiter = byte }
        if let byte = try Self.byte(quote, "--quote") { options.quote = byte }
        options.comment = try Self.byte(comment, "--comment")
        options.skipRows = skipRows
        options.hasHeader = !noHeader
        options.columns = columns?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        options.allowsNUL = allowNul
        return options
    }

    func jsonOptions(lines: Bool) -> JSONReader.Options {
        var options = JSONReader.Options()
        options.lines = lines
        options.allowsNUL = allowNul
        return options
    }

    var plistOptions: PropertyListReader.Options {
        var options = PropertyListReader.Options()
        options.allowsNUL = allowNul
        return options
    }

    /// The one byte of an option; `\t` and `tab` are the tab.
    static func byte(_ text: String?, _ option: String) throws -> UInt8? {
        guard let text else { return nil }
        if text == "\\t" || text == "tab" { return UInt8(ascii: "\t") }
        guard text.utf8.count == 1, let byte = text.utf8.first else {
            throw ValidationError("\(option) is one byte, such as ; or \\t.")
        }
        return byte
    }
}

/// The formats that can be imported.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, tsv, json, ndjson, plist, terms

    /// What a file's name says; nil where it says nothing.
    init?(fileName: String) {
        switch fileName.split(separator: ".").last.map({ $0.lowercased() }) {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "plist": self = .plist
        case "terms": self = .terms
        default: return nil
        }
    }
}
