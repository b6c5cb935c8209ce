import GranaryBase

/// A summary of diagnostics by rule: each rule with its count and first places, the most frequent rule first.
///
/// ```
/// 4,371 in all: 4,300 errors, 71 warnings; by rule:
///   3,210 × value.syntax Patient.age: patients.csv:57, 58, 63, 90, 112, …
/// ```
enum RuleSummary {
    /// The number of rules that are listed.
    static let limit = 20
    /// If there are more diagnostics than this, the summary is printed even if all of them are printed.
    static let threshold = 20

    static func lines(_ groups: [DiagnosticGroup]) -> [String] {
        // The group of all other rules comes last, whatever its count.
        let named = groups.filter { $0.code != DiagnosticGroup.furtherCode }.enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map { $0.element }
        let listed = named.prefix(limit)
        let width = ColumnText.width(CountText.grouped(listed.first?.count ?? 0))
        var lines = [heading(groups)]
        for group in listed {
            let count = CountText.grouped(group.count)
            let indent = String(repeating: " ", count: max(width - ColumnText.width(count), 0) + 2)
            lines.append("\(indent)\(count) × \(name(group))\(places(group))")
        }
        let rest = Array(named.dropFirst(limit)) + groups.filter { $0.code == DiagnosticGroup.furtherCode }
        if !rest.isEmpty { lines.append("  … and \(CountText.grouped(sum(rest))) of other rules") }
        return lines
    }

    private static func sum(_ groups: some Sequence<DiagnosticGroup>) -> Int { groups.reduce(0) { $0 &+ $1.count } }

    private static func heading(_ groups: [DiagnosticGroup]) -> String {
        let counts = [Diagnostic.Severity.error, .warning, .note].map { severity in
            (severity.rawValue, sum(groups.filter { $0.severity == severity }))
        }
        let texts = counts.filter { $0.1 > 0 }.map { CountText.count($0.1, $0.0) }
        return "\(CountText.grouped(sum(groups))) in all: \(texts.joined(separator: ", ")); by rule:"
    }

    private static func name(_ group: DiagnosticGroup) -> String {
        let subject = [group.entity, group.property].compactMap { $0 }.joined(separator: ".")
        let severity = group.severity == .error ? "" : " (\(group.severity.rawValue))"
        return group.code.rawValue + severity + (subject.isEmpty ? "" : " \(subject)")
    }

    /// `: patients.csv:57, 58, more.csv:3, …`, with the name of the file only where it changes.
    private static func places(_ group: DiagnosticGroup) -> String {
        if group.first.isEmpty { return "" }
        var file: String?
        var places: [String] = []
        for position in group.first {
            places.append(position.file == file ? "\(position.line)" : "\(position.file):\(position.line)")
            file = position.file
        }
        if group.count > group.first.count { places.append("…") }
        return ": " + places.joined(separator: ", ")
    }
}
