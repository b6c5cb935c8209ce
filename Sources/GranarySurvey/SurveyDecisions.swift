import GranaryBase

/// Finds the options of an import that read the values of all columns.
struct SurveyDecisions {
    let columns: [SurveyedColumn]
    let delimiter: UInt8?
    var findings: [SurveyFinding] = []

    /// - Parameters:
    ///   - delimiter: nil for a file that is not delimited.
    ///   - nulls: the texts that are NULL, if they are given.
    init(_ columns: [SurveyedColumn], delimiter: UInt8?, nulls: [String]? = nil) {
        self.columns = columns
        self.delimiter = delimiter
        if nulls == nil { decideNulls() }
        decideSpaces()
        decideNumbers()
        decideDates()
        decideBooleans()
        decideLists()
    }

    static func names(_ columns: [SurveyedColumn]) -> String {
        let names = columns.prefix(5).map { "\"\(Diagnostic.shortened($0.name))\"" }.joined(separator: ", ")
        return columns.count > 5 ? names + " and \(columns.count - 5) others" : names
    }

    // MARK: - NULL and spaces

    private mutating func decideNulls() {
        let empty = columns.reduce(0) { $0 + $1.survey.nulls }
        var words: [String: Int] = [:]
        var quoted = 0
        for column in columns where column.isTyped {
            for (word, count) in column.survey.nullWords where !isValue(word, of: column) {
                words[word, default: 0] += count
            }
            quoted += column.survey.quotedNullWords
        }
        if !words.isEmpty {
            let sorted = words.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let texts = sorted.map { "\"\($0.key)\" (\($0.value) times)" }.joined(separator: ", ")
            // The same word in a column of texts can be a text: Namibia's code is NA.
            let affected = columns.filter { column in
                !column.isTyped && words.keys.contains { column.survey.nullWords[$0] != nil }
            }
            var finding = SurveyFinding(.null, "the empty field, " + texts, "they stand in columns of other values")
            let options =
                ([""] + sorted.map(\.key)).map { SurveyOption("null", $0) }
                + (quoted > 0 ? [SurveyOption("null-quoted")] : [])
            if affected.isEmpty {
                finding.options = options
                for column in columns where emptyIsFalse(in: column) {
                    finding.options += nulls(of: column)
                }
            } else {
                finding.evidence += "; in \(Self.names(affected)) they stay texts"
                for column in columns where column.isTyped && !column.survey.nullWords.isEmpty {
                    finding.options += nulls(of: column)
                }
                if quoted > 0 { finding.options.append(SurveyOption("null-quoted")) }
            }
            findings.append(finding)
        } else if empty > 0 {
            let fields = CountText.count(empty, "field") + (empty == 1 ? " is " : " are ")
            findings.append(
                delimiter == nil
                    ? SurveyFinding(.null, "null", fields + "null")
                    : SurveyFinding(.null, "the empty field", fields + "empty"))
        }
        let emptyQuoted = columns.filter { $0.isTyped && $0.survey.emptyQuoted > 0 }
        guard !emptyQuoted.isEmpty else { return }
        let texts = columns.filter { !$0.isTyped && $0.survey.emptyQuoted > 0 }
        var finding = SurveyFinding(
            .null, "the quoted empty field", "it stands in \(Self.names(emptyQuoted))", [SurveyOption("empty-is-null")])
        if !texts.isEmpty { finding.evidence += "; in \(Self.names(texts)) it becomes NULL too" }
        findings.append(finding)
    }

    /// Whether a word for NULL is a word for true or false in a column.
    private func isValue(_ word: String, of column: SurveyedColumn) -> Bool {
        guard column.role == .boolean, let found = column.survey.booleanWords else { return false }
        return found.true.contains(word) || found.false.contains(word)
    }

    private mutating func decideSpaces() {
        var needed: [SurveyedColumn] = []
        var texts: [SurveyedColumn] = []
        for column in columns where column.survey.spaced > 0 {
            switch column.role {
            case .number, .date, .boolean, .reference: needed.append(column)
            case .text: texts.append(column)
            case .other, .unknown: continue
            }
        }
        if !needed.isEmpty {
            let isSafe = needed.allSatisfy { !$0.name.contains(",") }
            let options =
                isSafe
                ? [SurveyOption("trim", needed.map(\.name).joined(separator: ","))] : [SurveyOption("trim")]
            findings.append(
                SurveyFinding(
                    .spaces, "around values", "in \(Self.names(needed))", options))
        }
        guard !texts.isEmpty else { return }
        findings.append(
            SurveyFinding(
                .spaces, "around texts", "in \(Self.names(texts)); they stay, --trim removes them"))
    }

    private func nulls(of column: SurveyedColumn) -> [SurveyOption] {
        ((emptyIsFalse(in: column) ? [] : [""]) + column.survey.nullWords.keys.sorted()).map {
            SurveyOption("null", $0, column: column.name)
        }
    }

    // MARK: - Numbers

    private mutating func decideNumbers() {
        let numeric = columns.filter { column in
            if case .number = column.role { return column.survey.numbers.count > 0 }
            return false
        }
        guard !numeric.isEmpty else { return }
        let total = numeric.reduce(0) { $0 + $1.survey.numbers.count }
        let fits = numeric.map { fitting($0) }
        let common = fits.dropFirst().reduce(fits.first ?? []) { $0.intersection($1) }
        var finding = SurveyFinding(.numbers, "", "")
        var accepted = 0
        if let choice = preferred(common) {
            finding.value = example(NumberReadings.formats[choice])
            finding.options = options(choice)
            accepted = numeric.reduce(0) { $0 + $1.survey.numbers.accepted(choice) }
            if let rival = common.sorted().first(where: { other in
                numeric.contains { $0.survey.numbers.candidates[choice].contradicted.contains(other) }
            }) {
                finding.doubt = doubt(choice, rival, numeric)
            }
        } else {
            finding.value = "different in each column"
            for (column, fit) in zip(numeric, fits) {
                guard let choice = preferred(fit) else { continue }
                accepted += column.survey.numbers.accepted(choice)
                finding.options += options(choice, column: column.name)
            }
        }
        finding.evidence =
            "\(CountText.grouped(accepted)) of \(CountText.count(total, "field")) in \(Self.names(numeric))"
        if let other = numeric.compactMap(\.survey.numbers.firstOther).first {
            finding.evidence += "; \"\(Diagnostic.shortened(other))\" is not a number"
        }
        var affixes: [String: Int] = [:]
        for column in numeric { affixes.merge(column.survey.numbers.affixes) { $0 + $1 } }
        if !affixes.isEmpty {
            let texts = affixes.keys.sorted()
            finding.options += texts.map { SurveyOption("currency", $0) }
            let shown = texts.map { $0.isEmpty ? "negative numbers as (1) or 1-" : "\"\($0)\"" }
            finding.value += ", with \(shown.joined(separator: ", "))"
        }
        findings.append(finding)
    }

    /// The formats that accept the most texts of a column; of an integer's those without fractions, if there are any.
    private func fitting(_ column: SurveyedColumn) -> Set<Int> {
        let numbers = column.survey.numbers
        let least = numbers.candidates.map(\.rejected).min() ?? 0
        let fit = Set(numbers.candidates.indices.filter { numbers.candidates[$0].rejected == least })
        guard case .number(isInteger: true) = column.role else { return fit }
        let whole = fit.filter { numbers.candidates[$0].fractions == 0 }
        return whole.isEmpty ? fit : whole
    }

    /// The likeliest format. A file with semicolons between its fields has commas in its numbers.
    private func preferred(_ fit: Set<Int>) -> Int? {
        guard delimiter == UInt8(ascii: ";") else { return fit.min() }
        let german = fit.filter { NumberReadings.formats[$0].decimalSeparator == "," }.min()
        // Without any separator in the numbers, the plain format needs no option.
        return fit.count == NumberReadings.formats.count ? fit.min() : german ?? fit.min()
    }

    private func doubt(_ choice: Int, _ rival: Int, _ numeric: [SurveyedColumn]) -> SurveyDoubt {
        let readings = [choice, rival].map { index in
            let options = options(index).compactMap(\.text).joined(separator: " ")
            return options.isEmpty ? "without an option" : options
        }
        let examples = [choice, rival].map { example(NumberReadings.formats[$0]) }
        return SurveyDoubt(
            "the numbers can be written as \(examples[0]) or as \(examples[1]): no number decides", readings)
    }

    private func example(_ format: NumberFormat) -> String {
        let group = format.groupSeparator.map { $0.isASCII ? String($0) : "(\(CharacterName.code($0)))" } ?? ""
        return "1\(group)234\(format.decimalSeparator)5"
    }

    private func options(_ index: Int, column: String? = nil) -> [SurveyOption] {
        let format = NumberReadings.formats[index]
        var result: [SurveyOption] = []
        if format.decimalSeparator != "." {
            result.append(SurveyOption("decimal-separator", String(format.decimalSeparator), column: column))
        }
        if let group = format.groupSeparator {
            let text = group.isASCII ? String(group) : CharacterName.code(group)
            result.append(SurveyOption("group-separator", text, column: column))
        }
        return result
    }

    // MARK: - Dates

    private mutating func decideDates() {
        let dated = columns.filter { $0.role == .date && $0.survey.dates.count > 0 }
        guard !dated.isEmpty else { return }
        let total = dated.reduce(0) { $0 + $1.survey.dates.count }
        let others = dated.reduce(0) { $0 + $1.survey.dates.others }
        var names: [String] = []
        for column in dated {
            for name in column.survey.dates.chosenNames where !names.contains(name) { names.append(name) }
        }
        // A format of one column can read the texts of another one as other dates.
        let areTogether = dated.allSatisfy { column in column.survey.dates.agree(with: names) }
        var finding = SurveyFinding(
            .dates, names.isEmpty ? "unknown" : names.joined(separator: ", "),
            "\(CountText.grouped(total - others)) of \(CountText.count(total, "field")) in \(Self.names(dated))")
        if let other = dated.compactMap(\.survey.dates.firstOther).first {
            finding.evidence += "; \"\(Diagnostic.shortened(other))\" is in no known format"
        }
        if areTogether {
            if names != ["iso8601"] { finding.options = names.map { SurveyOption("date-format", $0) } }
        } else {
            for column in dated {
                finding.options += column.survey.dates.chosenNames.map {
                    SurveyOption("date-format", $0, column: column.name)
                }
            }
        }
        if let rival = dated.lazy.compactMap(\.survey.dates.firstRival).first {
            finding.doubt = SurveyDoubt(
                "the dates can be \(rival.0) or \(rival.1): no date decides",
                [rival.0, rival.1].compactMap { OptionHelp.option("date-format", $0) })
        }
        if dated.contains(where: { $0.survey.dates.needsZone }) {
            finding.options.append(SurveyOption("time-zone", "UTC"))
            finding.evidence += "; they name no time zone: put yours instead of UTC"
        }
        findings.append(finding)
    }
}
