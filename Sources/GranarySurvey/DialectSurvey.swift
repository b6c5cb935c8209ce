import GranaryBase
import GranaryFormats

/// The dialect of a delimited file: delimiter, quote, escape, comments, lines before the header.
///
/// The beginning of the file is read with every combination; the one that gives the most rows of one width wins.
struct DialectSurvey {
    private(set) var options = CSVReader.Options()
    private(set) var findings: [SurveyFinding] = []

    /// How many bytes of the file are tried.
    static let sampleBytes = 1 << 18
    /// How many lines may stand before the header.
    private static let mostSkippedRows = 12
    private static let mostRows = 20_000

    private struct Trial {
        var options: CSVReader.Options
        var rows = 0
        /// The number of rows with the most frequent width.
        var fitting = 0
        var width = 1
        var malformed = 0
        var quoted = 0

        /// The number of rows before the header.
        var skipped = 0

        /// The share of the rows that fit. Rows before the header count half, so that a dialect that needs none is
        /// better.
        var share: Double {
            let all = Double(rows) + Double(skipped) / 2
            return all == 0 ? 0 : Double(fitting) / all
        }
    }

    /// - Parameters:
    ///   - sample: the beginning of the file as UTF-8, in whole lines.
    ///   - isTSV: whether the file's name says that tabs are the delimiter.
    init(_ sample: [UInt8], isTSV: Bool) throws(GranaryError) {
        let separatorLine = Self.separatorLine(sample)
        let hasComments = Self.lines(sample).contains { $0.first == UInt8(ascii: "#") }
        let hasBackslashes = sample.contains(UInt8(ascii: "\\"))
        var best: Trial?
        let delimiters = separatorLine.map { [$0] } ?? [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
        for delimiter in isTSV ? [UInt8(ascii: "\t")] : delimiters {
            for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] {
                for escape in hasBackslashes ? [nil, UInt8(ascii: "\\")] : [nil] {
                    for skipsSpaces in [false, true] {
                        for comment in hasComments ? [nil, UInt8(ascii: "#")] : [nil] {
                            var options = CSVReader.Options()
                            options.delimiter = delimiter
                            options.quote = quote
                            options.escape = escape
                            options.skipsSpaces = skipsSpaces
                            options.comment = comment
                            let trial = try Self.tried(options, sample)
                            if quote == UInt8(ascii: "'"), trial.quoted == 0 { continue }
                            if best.map({ Self.isBetter(trial, $0) }) ?? true { best = trial }
                        }
                    }
                }
            }
        }
        guard let best else { return }
        options = best.options
        options.isDelimiterFixed = true
        note(best, separatorLine, isTSV: isTSV)
    }

    /// More fitting rows win, then more columns, then more quoted fields. The simpler dialect was tried first.
    private static func isBetter(_ new: Trial, _ old: Trial) -> Bool {
        let (a, b) = (new.width > 1 ? new.share : new.share / 2, old.width > 1 ? old.share : old.share / 2)
        if abs(a - b) > 0.02 { return a > b }
        if new.malformed != old.malformed { return new.malformed < old.malformed }
        if new.width != old.width { return new.width > old.width }
        // An apostrophe at the start of a few texts does not make it the quote.
        return new.quoted > old.quoted + old.rows / 20 && new.options.escape == old.options.escape
    }

    /// Reads the sample, also without its first lines if they do not have the width of the others.
    private static func tried(_ options: CSVReader.Options, _ sample: [UInt8]) throws(GranaryError) -> Trial {
        var options = options
        options.hasHeader = false
        let rows = try CSVWidths(sample, options: options, limit: mostRows).rows
        var counts: [Int: Int] = [:]
        for row in rows where row.width > 0 { counts[row.width, default: 0] += 1 }
        let width = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
        var trial = Trial(options: options)
        trial.width = width
        trial.rows = rows.count
        trial.fitting = counts[width] ?? 0
        trial.quoted = rows.reduce(0) { $0 + $1.quotedFields }
        trial.malformed = rows.count { $0.width == 0 }
        guard let first = rows.firstIndex(where: { $0.width == width }), first > 0, width > 1,
            rows[first].line - 1 <= mostSkippedRows, separatorLine(sample) == nil
        else { return trial }
        // Lines before the header are no mistakes of the dialect.
        trial.options.skipRows = rows[first].line - 1
        trial.rows -= first
        trial.skipped = first
        trial.malformed -= rows[..<first].count { $0.width == 0 }
        return trial
    }

    private static func lines(_ sample: [UInt8]) -> [ArraySlice<UInt8>] {
        sample.split(maxSplits: 10_000, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
    }

    private static func separatorLine(_ sample: [UInt8]) -> UInt8? {
        let mark = TextEncodingMark.utf8Length(sample)
        return sample.withUnsafeBufferPointer { SeparatorLine.delimiter(UnsafeBufferPointer(rebasing: $0[mark...])) }
    }

    private mutating func note(_ trial: Trial, _ separatorLine: UInt8?, isTSV: Bool) {
        let rows = "\(trial.fitting) of \(CountText.count(trial.rows, "row"))"
        let have = "\(trial.width == 1 ? "has" : "have") \(CountText.count(trial.width, "column"))"
        var delimiter = SurveyFinding(
            .delimiter, trial.width == 1 ? "none" : Self.name(of: options.delimiter),
            separatorLine == nil ? "\(rows) at the beginning of the file \(have)" : "the first line is sep=")
        if separatorLine == nil, options.delimiter != UInt8(ascii: isTSV ? "\t" : ",") {
            let text = options.delimiter == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(options.delimiter))
            delimiter.options = [SurveyOption("delimiter", text)]
        }
        findings.append(delimiter)
        if options.quote != UInt8(ascii: "\"") {
            findings.append(
                SurveyFinding(
                    .quote, Self.name(of: options.quote),
                    "\(CountText.count(trial.quoted, "field")) are in these quotes",
                    [SurveyOption("quote", String(UnicodeScalar(options.quote)))]))
        }
        if let escape = options.escape {
            findings.append(
                SurveyFinding(
                    .escape, Self.name(of: escape), "without it more rows are malformed",
                    [SurveyOption("escape", String(UnicodeScalar(escape)))]))
        }
        if options.skipsSpaces {
            findings.append(
                SurveyFinding(
                    .spaces, "around quoted fields", "without them more rows are malformed", [SurveyOption("trim")]))
        }
        if options.comment != nil {
            findings.append(
                SurveyFinding(.lines, "comments", "lines begin with #", [SurveyOption("comment", "#")]))
        }
        if options.skipRows > 0 {
            findings.append(
                SurveyFinding(
                    .lines, "\(CountText.count(options.skipRows, "line")) before the header",
                    "they have another number of columns", [SurveyOption("skip-rows", "\(options.skipRows)")]))
        }
    }

    static func name(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: ","): ", (comma)"
        case UInt8(ascii: ";"): "; (semicolon)"
        case UInt8(ascii: "\t"): "tab"
        case UInt8(ascii: "|"): "| (vertical bar)"
        case UInt8(ascii: "'"): "' (apostrophe)"
        case UInt8(ascii: "\\"): "\\ (backslash)"
        default: String(UnicodeScalar(byte))
        }
    }
}
