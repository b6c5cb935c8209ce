import GranaryBase

/// Booleans and lists.
extension SurveyDecisions {
    mutating func decideBooleans() {
        let found = columns.filter { $0.role == .boolean && $0.survey.values > 0 }
        guard !found.isEmpty else { return }
        var (yes, no): (Set<String>, Set<String>) = ([], [])
        var isDefault = true
        var unknown: [SurveyedColumn] = []
        var others: [String] = []
        let marked = found.filter { emptyIsFalse(in: $0) }
        for column in found where !emptyIsFalse(in: column) {
            if let words = column.survey.booleanWords {
                yes.formUnion(words.true)
                no.formUnion(words.false)
                isDefault = isDefault && words.isDefault
            } else if let words = column.survey.nearlyBooleanWords {
                yes.formUnion(words.true)
                no.formUnion(words.false)
                isDefault = isDefault && words.isDefault
                let list = words.others.prefix(3).map { "\"\(Diagnostic.shortened($0))\"" }.joined(separator: ", ")
                others.append("\(list) in \"\(Diagnostic.shortened(column.name))\" is no Boolean")
            } else if column.survey.typed == 0 {
                unknown.append(column)
            }
        }
        // The Booleans of JSON need no words.
        guard !yes.isEmpty || !no.isEmpty || !marked.isEmpty || !unknown.isEmpty else { return }
        var finding = SurveyFinding(
            .booleans, "\(yes.sorted().joined(separator: ", ")) / \(no.sorted().joined(separator: ", "))",
            "in \(Self.names(found))")
        for text in others { finding.evidence += "; " + text }
        if !isDefault {
            if yes.isDisjoint(with: no) {
                finding.options =
                    yes.sorted().map { SurveyOption("true", $0) } + no.sorted().map { SurveyOption("false", $0) }
            } else {
                for column in found {
                    guard let words = column.survey.booleanWords else { continue }
                    finding.options += words.true.map { SurveyOption("true", $0, column: column.name) }
                    finding.options += words.false.map { SurveyOption("false", $0, column: column.name) }
                }
            }
        }
        for column in marked {
            let words = column.survey.booleanWords?.true ?? []
            finding.options += words.map { SurveyOption("true", $0, column: column.name) }
            finding.options.append(SurveyOption("false", "", column: column.name))
            finding.value =
                yes.isEmpty && no.isEmpty ? "\(words.joined(separator: ", ")) / the empty field" : finding.value
            finding.evidence += "; the empty field of \"\(column.name)\" is false, because another word is NULL"
        }
        if let column = found.first(where: { isMarked($0) && !emptyIsFalse(in: $0) }) {
            if no.isEmpty { finding.value = yes.sorted().joined(separator: ", ") + " / nothing" }
            finding.doubt = doubt(about: column)
        }
        if let column = unknown.first {
            let words = column.survey.frequentWords(2)
            if yes.isEmpty, no.isEmpty { finding.value = words.isEmpty ? "unknown" : words.joined(separator: " / ") }
            if words.count == 2 {
                let readings = [words, words.reversed()].compactMap { pair in
                    OptionHelp.all([OptionHelp.option("true", pair[0]), OptionHelp.option("false", pair[1])])
                }
                finding.doubt = SurveyDoubt(
                    "which of these words in \"\(column.name)\" means true is unknown", readings)
            } else {
                finding.evidence += "; \"\(column.name)\" has other words than those for true and false"
            }
        }
        findings.append(finding)
    }

    /// Whether a column has a mark such as `x` in some fields, and nothing in others.
    private func isMarked(_ column: SurveyedColumn) -> Bool {
        guard column.role == .boolean, column.survey.nulls > 0, let words = column.survey.booleanWords else {
            return false
        }
        return words.false.isEmpty && words.true.allSatisfy { $0.lowercased() == "x" }
    }

    /// Whether the empty field of a column with marks is false: another word means NULL.
    func emptyIsFalse(in column: SurveyedColumn) -> Bool { isMarked(column) && !column.survey.nullWords.isEmpty }

    private func doubt(about column: SurveyedColumn) -> SurveyDoubt {
        let words = column.survey.booleanWords?.true ?? []
        let yes = OptionHelp.all(words.map { OptionHelp.option("true", $0) }) ?? ""
        // Without the empty field as NULL for the whole file, empty fields of other columns would be texts.
        let isAlone = columns.allSatisfy { $0.name == column.name || $0.survey.nulls == 0 }
        return SurveyDoubt(
            "the empty field of \"\(Diagnostic.shortened(column.name))\" can be NULL or false",
            [
                yes,
                isAlone
                    ? "--null NULL \(yes) --false ''"
                    : "in a seed plan, column-options: {\(column.name): {null: NULL, true: \(words.joined()), false: ''}}",
            ])
    }

    mutating func decideLists() {
        let lists = columns.filter { $0.role == .reference(isToMany: true) && $0.survey.values > 0 }
        guard !lists.isEmpty else { return }
        var counts: [UInt8: Int] = [:]
        for column in lists { counts.merge(column.survey.listSeparators) { $0 + $1 } }
        guard let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
        var finding = SurveyFinding(
            .lists, DialectSurvey.name(of: best.key),
            "\(CountText.count(best.value, "field")) in \(Self.names(lists)) have it")
        if best.key != UInt8(ascii: ";") {
            finding.options = [SurveyOption("list-separator", String(UnicodeScalar(best.key)))]
        }
        findings.append(finding)
    }
}
