import Foundation
import GranaryBase
import GranaryCoordination

/// The imports that the store's ledger has.
enum RunsPage {
    static func make(_ context: PageContext) throws -> SitePage {
        var page = SitePage("Imports")
        let ledger = context.store.importLedger
        if let problem = ledger.problem { page.add("<p class=\"message\">\(MarkupText.escaped(problem))</p>\n") }
        let names = ledger.runs.first?.counts.entries.map(\.name) ?? []
        var table = SiteTable(
            "\(CountText.count(ledger.runs.count, "import")), newest first",
            headers: [.init(html: "Run"), .init(html: "Date")]
                + names.map { .init(html: MarkupText.escaped($0), isNumber: true) } + [.init(html: "Sources")])
        for run in ledger.runs.reversed() {
            let more = run.sourcesLeftOut > 0 ? ["and \(run.sourcesLeftOut) more"] : []
            let sources = run.sources.map { "\(ValueMarkup.isolated($0.name))" } + more
            let date = run.date.map { context.zone.text($0.timeIntervalSinceReferenceDate) } ?? ""
            let counts = run.counts.entries.map { SiteTable.Cell(html: CountText.grouped($0.value), isNumber: true) }
            guard
                table.add(
                    [.init(html: ValueMarkup.isolated(run.id)), .init(html: MarkupText.escaped(date))] + counts
                        + [.init(html: sources.joined(separator: "<br>"))])
            else { break }
        }
        page.add(table.html)
        if ledger.droppedRuns > 0 {
            page.add("<p>\(CountText.count(ledger.droppedRuns, "older run")) are no longer listed.</p>\n")
        }
        return page
    }
}
