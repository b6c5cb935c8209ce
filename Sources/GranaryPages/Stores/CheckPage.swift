import GranaryBase
import GranaryCoreDataStore
package import GranaryInspection

/// The findings of a store check as a page.
package enum CheckPage {
    /// The maximum number of examples of one rule.
    private static let examples = 10

    /// - Parameter store: the store's name.
    package static func html(_ report: StoreCheckReport, store: String) -> String {
        var page = Page(title: "Check of \(store)")
        page.section("Outcome") { $0.add(outcome(report), as: "outcome") }
        guard report.count > 0 else { return page.html }
        let groups = FindingGroups(report.findings)
        page.section("Findings") { page in
            let rows = groups.all.enumerated().map { index, group in
                [
                    "<a href=\"#rule\(index)\">\(Markup.text(group.code))</a>", Markup.text(group.subject),
                    Markup.severity(group.severity), CountText.grouped(group.findings.count),
                ]
            }
            page.add(
                Markup.table(
                    CountText.count(report.count, "finding") + " by rule",
                    ["rule", "property", "severity", "number"], rows, numbers: [3]), as: "table of rules")
            if report.count > report.findings.count {
                let shown = CountText.grouped(report.findings.count)
                page.add("<p class=\"cut\">The first \(shown) findings are shown.</p>\n", as: "note")
            }
            for (index, group) in groups.all.enumerated() {
                page.add(heading(group, index), as: "rule")
                for finding in group.findings.prefix(examples) { page.add(example(finding), as: "example") }
                let more = group.findings.count - examples
                if more > 0 { page.add("<p class=\"soft\">and \(CountText.grouped(more)) more</p>\n", as: "note") }
            }
        }
        return page.html
    }

    private static func outcome(_ report: StoreCheckReport) -> String {
        let model =
            switch report.model {
            case .given: "The store was checked with the given model."
            case .cache: "The store was checked with the model in it."
            case .inferred: "The store has no model; tables and keys were checked."
            case nil: "The content was not checked."
            }
        let words =
            report.errorCount > 0
            ? "The store has errors." : report.count > 0 ? "The store has no errors." : "Nothing was found."
        let notes = report.count - report.errorCount - report.warningCount
        return "<p><strong>\(words)</strong> \(model)</p>\n"
            + Markup.table(
                "Findings", ["severity", "number"],
                [
                    [Markup.severity(.error), CountText.grouped(report.errorCount)],
                    [Markup.severity(.warning), CountText.grouped(report.warningCount)],
                    [Markup.severity(.note), CountText.grouped(notes)],
                ], numbers: [1])
    }

    private static func heading(_ group: FindingGroups.Group, _ index: Int) -> String {
        "<h3 id=\"rule\(index)\">\(Markup.severity(group.severity)) \(Markup.text(group.code))"
            + "\(group.subject.isEmpty ? "" : " in " + Markup.text(group.subject)): "
            + "\(CountText.grouped(group.findings.count))</h3>\n"
    }

    private static func example(_ finding: StoreFinding) -> String {
        let place = [finding.table, finding.column, finding.key.map { "key \($0)" }].compactMap(\.self)
        var html = "<div>"
        if !place.isEmpty { html += "<span class=\"place\">\(Markup.text(place.joined(separator: ", ")))</span> " }
        html += Markup.text(finding.diagnostic.message)
        if let advice = finding.advice { html += " <span class=\"soft\">advice: \(Markup.text(advice))</span>" }
        return html + "</div>\n"
    }
}

/// Findings by rule and property, the most severe first.
private struct FindingGroups {
    struct Group {
        let code: String
        let subject: String
        let severity: Diagnostic.Severity
        var findings: [StoreFinding]
    }

    private(set) var all: [Group] = []

    init(_ findings: [StoreFinding]) {
        var places: [[String]: Int] = [:]
        for finding in findings {
            let diagnostic = finding.diagnostic
            let subject = [diagnostic.entity, diagnostic.property].compactMap(\.self).joined(separator: ".")
            let identity = [diagnostic.code.rawValue, subject, diagnostic.severity.rawValue]
            if let place = places[identity] {
                all[place].findings.append(finding)
            } else {
                places[identity] = all.count
                all.append(
                    Group(
                        code: diagnostic.code.rawValue, subject: subject, severity: diagnostic.severity,
                        findings: [finding]))
            }
        }
        let ranks: [Diagnostic.Severity] = [.error, .warning, .note]
        all = ranks.flatMap { rank in all.filter { $0.severity == rank } }
    }
}
