import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryImport
@testable import GranaryPages

/// The page of `--html`.
struct ImportPageTests {
    private static func report(_ diagnostics: [Diagnostic], count: Int? = nil) -> ImportReport {
        var report = ImportReport()
        (report.read, report.created, report.rejected) = (100, 98, 2)
        report.store = "Seed.sqlite"
        var collector = DiagnosticCollector(limit: 100_000)
        collector.add(contentsOf: diagnostics)
        report.diagnostics = diagnostics
        report.diagnosticCount = count ?? diagnostics.count
        report.rules = collector.groups
        return report
    }

    @Test func theOutcomeIsFirst() {
        let html = ImportPage.html([Self.report([])], title: "t")
        #expect(html.contains("<strong>Everything is stored.</strong> 100 records read"))
        #expect(html.contains("aria-label=\"created 98, rejected 2\""))
        #expect(!html.contains("Problems"))
        var refused = Self.report([])
        refused.isRefused = true
        #expect(ImportPage.html([refused], title: "t").contains("Nothing was imported"))
        refused.isRefused = false
        refused.isDryRun = true
        #expect(ImportPage.html([refused, refused], title: "t").components(separatedBy: "A dry run").count == 3)
    }

    @Test func problemsAreShownInTheirLine() throws {
        let folder = try TemporaryFolder()
        let text = "name,age\nAnn,\"a b\"\nBo,x\n"
        let file = try folder.write(text, to: "in.csv").path
        func problem(_ line: Int, _ offset: Int, _ value: String, help: String? = nil) -> Diagnostic {
            Diagnostic(
                .valueSyntax, "\(value) is not an Integer 16",
                at: SourcePosition(file: file, line: line, column: 1, byteOffset: offset), entity: "Person",
                property: "age", value: value, help: help)
        }
        let html = ImportPage.html(
            [Self.report([problem(2, 13, "a b", help: "--ignore age"), problem(3, 22, "x")])], title: "t")
        #expect(
            html.contains("<span class=\"soft\">name,age</span>\nAnn,<mark>&quot;a b&quot;</mark></pre>"), "\(html)")
        #expect(html.contains("Bo,<mark>x</mark></pre>"))
        #expect(html.contains("help: <code>--ignore age</code>"))
        #expect(html.contains("<a href=\"#rule0\">value.syntax</a>") && html.contains("<h3 id=\"rule0\">"))
        #expect(html.contains("Lines 2 to 3 of about 101"))
        // A file that is gone, is compressed or in another encoding has no excerpt.
        for bytes in [
            Data([0x1F, 0x8B, 0, 1, 0xFF, 0xFE] + Array(repeating: 0x99, count: 30)),
            Data("M\u{FC}ller\n".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }),
        ] {
            try bytes.write(to: URL(filePath: file))
            #expect(!ImportPage.html([Self.report([problem(1, 4, "x")])], title: "t").contains("<pre>"))
        }
    }

    @Test func changesHaveOldAndNewValues() {
        var report = Self.report([])
        report.changes = (1...3).map { (number: Int) in
            ImportChange(
                .update, entity: "Person", id: "Person/p\(number)", key: "\"n\(number)\"", file: "in.csv", line: number,
                properties: ["city"], values: [.init("city", old: "\"Köln\"", new: "\"<Bonn>\"")])
        }
        report.changeCount = 7
        let html = ImportPage.html([report], title: "t")
        #expect(
            html.contains("<td>Person.city: &quot;Köln&quot; → &quot;&lt;Bonn&gt;&quot;</td><td class=\"n\">3</td>"))
        #expect(html.contains("update Person/p1 &quot;n1&quot;") && html.contains("and 4 more"))
    }

    /// What a file contains cannot become markup, and the page stays small.
    @Test func hostileTextsStayTextAndThePageStaysSmall() {
        let hostile = "<script>alert(1)</script><img src=x onerror=y>\u{202E}\u{0}\"'&"
        let long = String(repeating: hostile, count: 60)
        let problems = (0..<3_000).map { number in
            Diagnostic(
                Diagnostic.Code(rawValue: "r\(number % 150)"), long,
                at: SourcePosition(file: hostile, line: number, column: 1), entity: hostile,
                property: "p\(number % 150)",
                help: long)
        }
        var report = Self.report(problems, count: 9_999_999)
        report.changes = (0..<1_000).map { (number: Int) in
            ImportChange(
                .update, entity: hostile, id: long, key: long, properties: [hostile],
                values: [.init(hostile, old: long, new: "\(number)")])
        }
        report.changeCount = 1_000
        let html = ImportPage.html([report, report], title: hostile)
        #expect(html.utf8.count <= Page.limit)
        #expect(
            !html.contains("<script") && !html.contains("<img") && !html.contains("\u{202E}") && !html.contains("\u{0}")
        )
        #expect(html.contains("The page has at most 1 MB. Left out: "))
        #expect(html.contains("default-src 'none'") && html.hasSuffix("</html>\n"))
        for element in ["section", "table", "div", "pre", "svg", "p"] {
            let opened = [" ", ">"].reduce(0) { $0 + html.components(separatedBy: "<\(element)\($1)").count - 1 }
            #expect(opened == html.components(separatedBy: "</\(element)>").count - 1, "\(element)")
        }
    }
}
