import GranaryBase
import GranaryFormats
import GranaryRecords

/// The dialect of a delimited file: delimiter, quote, escape, comments, lines before the header.
///
/// The beginning of the file is read with every combination; the one that gives the most rows of one width wins.
struct DialectSurvey {
    private(set) var options = CSVReader.Options()
    private(set) var findings: [SurveyFinding] = []

    /// How many bytes of the file are tried.
    static let sampleBytes = 1 << 18
    private static let apostrophe = UInt8(ascii: "'")

    /// - Parameters:
    ///   - sample: the beginning of the file as UTF-8, in whole lines.
    ///   - given: the options that are not examined, because the caller has given them.
    ///   - isTSV: whether the file's name says that tabs are the delimiter.
    /// - Throws: ``GranaryError`` with code `usage` for options that contradict each other.
    init(_ sample: [UInt8], given: SourceOptions, isTSV: Bool) throws(GranaryError) {
        let separatorLine = DialectTrial.separatorLine(sample)
        let hasComments = DialectTrial.lines(sample).contains { $0.first == UInt8(ascii: "#") }
        let hasBackslashes = sample.contains(UInt8(ascii: "\\"))
        var delimiters = separatorLine.map { [$0] } ?? [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
        if isTSV { delimiters = [UInt8(ascii: "\t")] }
        if let delimiter = given.delimiter {
            do { delimiters = [try OptionText.byte(delimiter)] } catch {
                throw GranaryError(.usage, "delimiter: \(error.message)")
            }
        }
        // In a file for spreadsheets, an apostrophe is before a text.
        let quotes =
            given.quote.map { [$0] }
            ?? (given.isForSpreadsheets ? [UInt8(ascii: "\"")] : [UInt8(ascii: "\""), Self.apostrophe])
        let escapes = given.escape.map { [$0] } ?? (hasBackslashes ? [nil, UInt8(ascii: "\\")] : [nil])
        let comments = given.comment.map { [$0] } ?? (hasComments ? [nil, UInt8(ascii: "#")] : [nil])
        var trials: [DialectTrial] = []
        for delimiter in delimiters {
            for quote in quotes {
                for escape in escapes {
                    for skipsSpaces in [false, true] {
                        for comment in comments {
                            var options = CSVReader.Options()
                            options.delimiter = delimiter
                            options.quote = quote
                            options.escape = escape
                            options.skipsSpaces = skipsSpaces
                            options.comment = comment
                            options.skipRows = given.skipRows
                            options.allowsNUL = true
                            options.splitting = given.tokenizer
                            trials.append(try DialectTrial(options, sample))
                        }
                    }
                }
            }
        }
        // With two kinds of quotes, the second one must have been used.
        trials.removeAll { quotes.count > 1 && $0.options.quote == Self.apostrophe && $0.quoted == 0 }
        let hasDoubled = Self.hasDoubledApostrophe(sample)
        guard var best = trials.first else { return }
        for trial in trials.dropFirst() where Self.isBetter(trial, best, hasDoubled: hasDoubled) { best = trial }
        if best.malformed > 0, best.quoted == 0, given.quote == nil, let plain = try Self.withoutQuotes(best, sample) {
            best = plain
        }
        options = best.options
        options.isDelimiterFixed = true
        note(best, separatorLine, isTSV: isTSV)
        let rival = trials.first {
            $0.options.quote == Self.apostrophe && best.options.quote == UInt8(ascii: "\"") && best.quoted == 0
                && $0.options.delimiter == best.options.delimiter && $0.options.escape == best.options.escape
                && $0.width == best.width && $0.malformed <= best.malformed
        }
        if let rival { noteDoubt(about: rival) }
    }

    /// More fitting rows win, then more columns, then more quoted fields. The simpler dialect was tried first.
    private static func isBetter(_ new: DialectTrial, _ old: DialectTrial, hasDoubled: Bool) -> Bool {
        let (a, b) = (new.width > 1 ? new.share : new.share / 2, old.width > 1 ? old.share : old.share / 2)
        if abs(a - b) > 0.02 { return a > b }
        if new.malformed != old.malformed { return new.malformed < old.malformed }
        if new.width != old.width { return new.width > old.width }
        guard new.options.escape == old.options.escape else { return false }
        if new.options.quote == apostrophe, old.options.quote != apostrophe {
            // Apostrophes around a few texts do not make them the quote, unless some are doubled.
            return new.quoted > old.quoted && (hasDoubled || new.quoted * 2 >= old.rows)
        }
        return new.quoted > old.quoted + old.rows / 20
    }

    /// Whether an apostrophe is doubled inside a text, as in `'O''Neill'`.
    private static func hasDoubledApostrophe(_ sample: [UInt8]) -> Bool {
        func isText(_ byte: UInt8) -> Bool { byte > 0x20 && !Array(",;|'\"".utf8).contains(byte) }
        var index = 1
        while index + 2 < sample.count {
            if sample[index] == apostrophe, sample[index + 1] == apostrophe, isText(sample[index - 1]),
                isText(sample[index + 2])
            {
                return true
            }
            index += 1
        }
        return false
    }

    /// The dialect with a quote that does not occur, if it reads more rows: quotes in some files are only characters.
    private static func withoutQuotes(
        _ old: DialectTrial, _ sample: [UInt8]
    ) throws(GranaryError) -> DialectTrial? {
        let unused = ["~", "^", "`", "$"].map { UInt8(ascii: $0) }.first { !sample.contains($0) }
        guard let unused, !hasQuotedField(sample, old.options) else { return nil }
        var options = old.options
        options.quote = unused
        options.skipRows = 0
        let trial = try DialectTrial(options, sample)
        return trial.malformed < old.malformed && trial.fitting > old.fitting && trial.width == old.width ? trial : nil
    }

    /// Whether quotes are around a whole field, so that they are not only characters.
    private static func hasQuotedField(_ sample: [UInt8], _ options: CSVReader.Options) -> Bool {
        DialectTrial.lines(sample).contains { line in
            line.split(separator: options.delimiter).contains {
                $0.count > 1 && $0.first == options.quote && $0.last == options.quote
            }
        }
    }

    private mutating func note(_ trial: DialectTrial, _ separatorLine: UInt8?, isTSV: Bool) {
        let rows = "\(CountText.grouped(trial.fitting)) of \(CountText.count(trial.rows, "row"))"
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
            let option = [SurveyOption("quote", String(UnicodeScalar(options.quote)))]
            findings.append(
                options.quote == Self.apostrophe
                    ? SurveyFinding(
                        .quote, Self.name(of: options.quote),
                        "\(CountText.count(trial.quoted, "field")) are in these quotes", option)
                    : SurveyFinding(
                        .quote, "none", "quotes stand inside of texts; \(Self.name(of: options.quote)) does not occur",
                        option))
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

    private mutating func noteDoubt(about rival: DialectTrial) {
        let count = "\(CountText.count(rival.quoted, "field")) \(rival.quoted == 1 ? "is" : "are") in apostrophes"
        var finding = SurveyFinding(.quote, Self.name(of: options.quote), count)
        finding.doubt = SurveyDoubt(
            "\(count): they can be quotes, or part of the texts",
            ["without an option", OptionHelp.option("quote", "'") ?? ""])
        findings.append(finding)
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
