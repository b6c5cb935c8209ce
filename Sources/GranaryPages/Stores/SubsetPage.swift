import GranaryBase
package import GranaryImport

/// The report of a subset as a page.
package enum SubsetPage {
    private static let warnings = 200

    package static func html(_ report: SubsetReport) -> String {
        var page = Page(title: "Subset of \(report.source)")
        page.section("Outcome") { $0.add(outcome(report), as: "outcome") }
        addDetails(report, to: &page)
        return page.html
    }

    /// Adds a subset that an import has added to its store.
    static func add(_ report: SubsetReport, to page: inout Page) {
        let end = " of the subset of \(report.source)"
        page.section("Objects" + end) { $0.add(outcome(report), as: "outcome") }
        addDetails(report, to: &page, end)
    }

    /// - Parameter end: the end of the titles.
    private static func addDetails(_ report: SubsetReport, to page: inout Page, _ end: String = "") {
        if !report.smallTables.isEmpty {
            page.section("Small tables" + end) { page in
                page.add(
                    Markup.table(
                        "Small tables", ["relationship", "entity", "taken", "of"],
                        report.smallTables.map {
                            [
                                Markup.text($0.relationship), Markup.text($0.entity), CountText.grouped($0.count),
                                CountText.grouped($0.total),
                            ]
                        }, numbers: [2, 3]), as: "table of small tables")
            }
        }
        if report.isAnonymised { page.section("Values" + end) { $0.add(values(report), as: "table of values") } }
        let cut = report.relationships.filter { $0.cut > 0 }
        if !cut.isEmpty {
            page.section("Links that were cut" + end) { page in
                page.add(
                    Markup.table(
                        "Links", ["relationship", "cut", "kept"],
                        cut.map {
                            [
                                Markup.text("\($0.entity).\($0.name)"), CountText.grouped($0.cut),
                                CountText.grouped($0.kept),
                            ]
                        }, numbers: [1, 2]), as: "table of links")
            }
        }
        if report.warningCount > 0 {
            page.section("Warnings" + end) { page in
                let shown = report.warnings.prefix(warnings)
                for warning in shown { page.add("<p>\(Markup.text("\(warning)"))</p>\n", as: "warning") }
                let more = report.warningCount - shown.count
                if more > 0 { page.add("<p class=\"soft\">and \(CountText.grouped(more)) more</p>\n", as: "note") }
            }
        }
    }

    private static func outcome(_ report: SubsetReport) -> String {
        let steps = report.entities.map(\.neighbours.count).max() ?? 0
        let headers =
            ["entity", "taken", "of", "chosen", "needed", "followed"] + (0..<steps).map { "in step \($0 + 1)" }
        let rows = report.entities.map { entity in
            [Markup.text(entity.name)]
                + ([entity.count, entity.total, entity.chosen, entity.needed, entity.followed]
                + (0..<steps).map { $0 < entity.neighbours.count ? entity.neighbours[$0] : 0 })
                .map { CountText.grouped($0) }
        }
        return "<p><strong>\(CountText.count(report.count, "object")) taken</strong> from "
            + "<code>\(Markup.text(report.source))</code> into <code>\(Markup.text(report.store))</code>.</p>\n"
            + Markup.table("Objects", headers, rows, numbers: Set(1..<headers.count))
    }

    private static func values(_ report: SubsetReport) -> String {
        let rows = report.attributes.map { attribute in
            [Markup.text("\(attribute.entity).\(attribute.name)"), Markup.text(attribute.type)]
                + [attribute.replaced, attribute.digitsOnly, attribute.kept, attribute.null, attribute.empty]
                .map { CountText.grouped($0) } + [Markup.text(attribute.reason ?? "")]
        }
        return Markup.table(
            "Values by attribute",
            ["attribute", "type", "replaced", "only digits", "kept", "NULL", "empty", "why kept"], rows,
            numbers: [2, 3, 4, 5, 6])
    }
}
