import GranaryBase

/// The help of diagnostics, as keys of a plan.
package enum PlanHelp {
    private static let flags: Set<PlanImportKey> = [
        .noHeader, .spreadsheet, .allowNUL, .distinct, .prune, .trim, .emptyIsNull, .nullQuoted, .nullIsDefault,
        .allowRounding, .allowZeroFraction, .asIs,
    ]
    private static let mappings: Set<PlanImportKey> = [.map, .constant, .lookup]

    /// `--null '' --null N/A` becomes `null: ["", "N/A"]`. A text that is not made of options of an import stays as it is.
    package static func keys(_ help: String) -> String {
        guard let words = words(help) else { return help }
        var alternatives: [String] = []
        var options: [(key: PlanImportKey, values: [String])] = []
        var index = 0
        func end() {
            alternatives.append(
                options.map { "\($0.key.rawValue): \(value($0.key, $0.values))" }.joined(separator: ", "))
            options = []
        }
        while index < words.count {
            if words[index] == "or", !options.isEmpty {
                end()
                index += 1
                continue
            }
            guard words[index].hasPrefix("--") else { return help }
            let parts = words[index].dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first.flatMap({ PlanImportKey(rawValue: String($0)) }) else { return help }
            index += 1
            var value: String?
            if parts.count == 2 {
                value = String(parts[1])
            } else if !flags.contains(key) || key == .trim && index < words.count && !words[index].hasPrefix("--") {
                guard index < words.count else { return help }
                value = words[index]
                index += 1
            }
            if let known = options.firstIndex(where: { $0.key == key }) {
                options[known].values += value.map { [$0] } ?? []
            } else {
                options.append((key, value.map { [$0] } ?? []))
            }
        }
        if !options.isEmpty { end() }
        return alternatives.joined(separator: " or ")
    }

    private static func value(_ key: PlanImportKey, _ values: [String]) -> String {
        if values.isEmpty { return "true" }
        if mappings.contains(key) || key == .onMissing && values[0].contains("=") {
            return PlanText.mapping(
                values.map { text in
                    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
                })
        }
        return values.count == 1 && key != .ignore ? PlanText.quoted(values[0]) : PlanText.list(values)
    }

    /// The words of a shell; nil for texts that only a shell can expand, and for other quotes than those of
    /// ``OptionHelp``.
    private static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var mark: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if mark == nil, character == "\\" {
                isEscaped = true
            } else if let open = mark {
                if character == open { mark = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                mark = character
                word = word ?? ""
            } else if character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return mark == nil && !isEscaped && !text.contains("$(") && !text.contains("`") ? words : nil
    }
}
