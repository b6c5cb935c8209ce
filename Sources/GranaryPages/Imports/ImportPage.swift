package import GranaryImport
import GranaryBase
import GranaryCoordination

/// The report of imports as a page.
package enum ImportPage {
    /// The maximum number of examples of one rule.
    private static let examples = 10
    private static let rules = 200
    private static let changes = 500

    /// - Parameters:
    ///   - reports: one for each store.
    ///   - title: what was run.
    package static func html(_ reports: [ImportReport], title: String) -> String {
        var page = Page(title: title)
        for report in reports { add(report, to: &page, isOnly: reports.count == 1) }
        return page.html
    }

    private static func add(_ report: ImportReport, to page: inout Page, isOnly: Bool) {
        let end = isOnly ? "" : " of " + report.store
        page.section("Outcome" + end) { $0.add(outcome(report), as: "outcome") }
        for subset in report.subsets { SubsetPage.add(subset, to: &page) }
        if report.diagnosticCount > 0 { page.section("Problems" + end) { addProblems(report, to: &$0) } }
        if report.changeCount > 0 { page.section("Changed objects" + end) { addChanges(report, to: &$0) } }
    }

    // MARK: - The outcome

    private static func outcome(_ report: ImportReport) -> String {
        let parts = [
            ("created", report.created), ("updated", report.updated), ("unchanged", report.unchanged),
            ("skipped", report.skipped), ("rejected", report.rejected),
        ]
        let what =
            report.isRefused
            ? "Nothing was imported; the store is as it was."
            : report.isDryRun ? "A dry run: everything was rolled back." : "Everything is stored."
        let generated = report.generated.reduce(0) { $0 + $1.count }
        let isGeneration = generated > 0 && report.read == 0
        let number =
            isGeneration
            ? CountText.count(generated, "object") + " generated" : CountText.count(report.read, "record") + " read"
        var html = "<p><strong>\(what)</strong> \(number)"
        html += report.store.isEmpty ? ".</p>\n" : ", store <code>\(Markup.text(report.store))</code>.</p>\n"
        if !isGeneration {
            html += Markup.bar(parts.map { (style: $0.0, count: $0.1) })
            html += Markup.table(
                "Records", ["outcome", "records"],
                parts.map { ["<span class=\"\($0.0)\">■</span> \($0.0)", CountText.grouped($0.1)] }, numbers: [1])
        }
        if generated > 0 {
            html += Markup.table(
                "Generated objects", ["entity", "objects"],
                report.generated.map { [Markup.text($0.name), CountText.grouped($0.count)] }, numbers: [1])
        }
        let more = [
            ("replaced objects", report.replaced), ("objects made by lookups", report.madeByLookup),
            ("nested objects", report.nested), ("pruned objects", report.pruned),
            ("blank lines skipped", report.skippedBlankLines),
        ].filter { $0.1 > 0 }
        if !more.isEmpty {
            html += Markup.table(
                "Beside the records", ["what", "number"], more.map { [$0.0, CountText.grouped($0.1)] }, numbers: [1])
        }
        if !report.rejects.isEmpty {
            let names = report.rejects.map { "<code>\(Markup.text($0))</code>" }
            html += "<p>The rejected records are in \(names.joined(separator: ", ")).</p>\n"
        }
        if let run = report.run { html += "<p>Run <code>\(Markup.text(run))</code> of the store's ledger.</p>\n" }
        return html
    }

    // MARK: - Problems

    private static func addProblems(_ report: ImportReport, to page: inout Page) {
        let rows = report.rules.prefix(rules).enumerated().map { index, rule in
            [
                "<a href=\"#rule\(index)\">\(Markup.text(rule.code.rawValue))</a>",
                Markup.text(subject(rule.entity, rule.property)),
                Markup.severity(rule.severity),
                CountText.grouped(rule.count),
            ]
        }
        page.add(
            Markup.table(
                "\(CountText.count(report.diagnosticCount, "problem")) by rule",
                ["rule", "property", "severity", "number"],
                rows, numbers: [3]), as: "table of rules")
        for (index, rule) in report.rules.prefix(rules).enumerated() {
            let own = report.diagnostics.filter {
                $0.code == rule.code && $0.entity == rule.entity && $0.property == rule.property
                    && $0.severity == rule.severity
            }
            page.add(heading(rule, own, index, report), as: "rule")
            for diagnostic in own.prefix(examples) { page.add(example(diagnostic), as: "example") }
            if rule.count > min(own.count, examples) {
                page.add(
                    "<p class=\"soft\">and \(CountText.grouped(rule.count - min(own.count, examples))) more</p>\n",
                    as: "note")
            }
        }
        if report.rules.count > rules {
            page.add(
                "<p class=\"cut\">\(CountText.count(report.rules.count - rules, "further rule")) left out.</p>\n",
                as: "note")
        }
    }

    private static func subject(_ entity: String?, _ property: String?) -> String {
        [entity, property].compactMap { $0 }.joined(separator: ".")
    }

    private static func heading(
        _ rule: DiagnosticGroup, _ own: [Diagnostic], _ index: Int, _ report: ImportReport
    ) -> String {
        let subject = subject(rule.entity, rule.property)
        var html =
            "<h3 id=\"rule\(index)\">\(Markup.severity(rule.severity)) "
            + "\(Markup.text(rule.code.rawValue))\(subject.isEmpty ? "" : " in " + Markup.text(subject)): "
            + "\(CountText.grouped(rule.count))</h3>\n"
        let lines = own.compactMap(\.position?.line)
        guard lines.count > 1, let last = lines.max() else { return html }
        let length = max(last, report.read + 1)
        let label = "Lines \(lines.min() ?? 0) to \(last) of about \(length)"
        html += Markup.histogram(lines, of: length, label: label)
        let isCut = lines.count < rule.count ? ", of the first \(CountText.grouped(lines.count))" : ""
        return html + "<p class=\"soft\">\(label)\(isCut)</p>\n"
    }

    private static func example(_ diagnostic: Diagnostic) -> String {
        var html = "<div>"
        if let place = diagnostic.position {
            html += "<span class=\"place\">\(Markup.text("\(place.file):\(place.line):\(place.column)"))</span> "
        }
        html += Markup.text(diagnostic.message)
        if let help = diagnostic.help { html += " <span class=\"soft\">help: <code>\(Markup.text(help))</code></span>" }
        return html + (SourceExcerpt(diagnostic)?.html ?? "") + "</div>\n"
    }

    // MARK: - Changes

    private static func addChanges(_ report: ImportReport, to page: inout Page) {
        let kept = report.changes
        var counts: [String: Int] = [:]
        for change in kept {
            for value in change.values ?? [] {
                counts["\(change.entity).\(value.property): \(value.old) → \(value.new)", default: 0] += 1
            }
        }
        let frequent = counts.filter { $0.value > 1 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(50)
        if !frequent.isEmpty {
            page.add(
                Markup.table(
                    "The same change of several objects", ["property: old → new", "objects"],
                    frequent.map { [Markup.text($0.key), CountText.grouped($0.value)] }, numbers: [1]),
                as: "table of changes")
        }
        page.add("<p>\(CountText.count(report.changeCount, "object")) changed.</p>\n", as: "note")
        for change in kept.prefix(changes) { page.add(html(change), as: "change") }
        if report.changeCount > min(kept.count, changes) {
            page.add(
                "<p class=\"soft\">and \(CountText.grouped(report.changeCount - min(kept.count, changes))) more</p>\n",
                as: "note")
        }
    }

    private static func html(_ change: ImportChange) -> String {
        let name = "\(change.action.rawValue) \(change.id)" + (change.key.map { " \($0)" } ?? "")
        let place = change.file.map { file in "\(file):\(change.line ?? 0)" } ?? ""
        let values = (change.values ?? []).map {
            [Markup.text($0.property), Markup.text($0.old), Markup.text($0.new)]
        }
        let title = Markup.text(name) + (place.isEmpty ? "" : " <span class=\"place\">\(Markup.text(place))</span>")
        guard !values.isEmpty else {
            let names = change.properties.isEmpty ? "" : ": " + Markup.text(change.properties.joined(separator: ", "))
            return "<p>\(title)\(names)</p>\n"
        }
        return Markup.table(title, ["property", "old", "new"], values)
    }
}
