import Foundation
import Granary
import Testing

/// Diagnostics as values: collecting, grouping and coding them.
@Suite("Collecting diagnostics") struct DiagnosticCollectorTests {
    private func position(_ line: Int) -> SourcePosition {
        SourcePosition(file: "a.csv", line: line, column: 1, byteOffset: 10 * line, record: line)
    }

    @Test("A collector keeps the first diagnostics and counts all")
    func collector() {
        var collector = DiagnosticCollector(limit: 2)
        for line in 1...7 {
            collector.add(
                Diagnostic(.valueSyntax, "is not a number", at: position(line), entity: "Cup", property: "size"))
        }
        collector.add(contentsOf: [
            Diagnostic(.pruneSkipped, "nothing was pruned", severity: .warning),
            Diagnostic(.modelUnknown, "an element was kept", severity: .note),
        ])
        #expect(collector.limit == 2 && collector.diagnostics.count == 2 && collector.isCut)
        #expect(collector.count == 9 && collector.errorCount == 7 && collector.warningCount == 1)
        #expect(collector.counts == [.valueSyntax: 7, .pruneSkipped: 1, .modelUnknown: 1])
        #expect(collector.groups.map(\.code) == [.valueSyntax, .pruneSkipped, .modelUnknown])
        #expect(collector.groups.map(\.severity) == [.error, .warning, .note])
        #expect(collector.groups.map(\.count) == [7, 1, 1])
        let group = collector.groups.first
        #expect(group?.entity == "Cup" && group?.property == "size")
        #expect(group?.first.map(\.line) == [1, 2, 3, 4, 5])
        #expect(!DiagnosticCollector().isCut && DiagnosticCollector().groups.isEmpty)
    }

    @Test("After 1,000 groups the others are counted in one")
    func groupOfFurtherDiagnostics() {
        var collector = DiagnosticCollector()
        for number in 1...1_002 { collector.add(Diagnostic(.valueMissing, "is missing", property: "p\(number)")) }
        #expect(collector.groups.count == 1_001)
        #expect(collector.groups.last == DiagnosticGroup(DiagnosticGroup.furtherCode, count: 2))
        #expect(!collector.isCut)
    }

    @Test("A diagnostic is coded as a flat JSON object")
    func coding() throws {
        let diagnostic = Diagnostic(
            .csvSyntax, "a quote is missing", severity: .warning, at: position(3), field: "size", entity: "Cup",
            property: "size", object: "x-coredata://1/Cup/p1", value: "x", coreDataCode: 1550,
            related: [position(1)], help: "--delimiter ';'")
        let data = try JSONEncoder().encode(diagnostic)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["severity"] as? String == "warning" && object["code"] as? String == "csv.syntax")
        #expect(object["file"] as? String == "a.csv" && object["line"] as? Int == 3)
        #expect(object["byteOffset"] as? Int == 30 && object["help"] as? String == "--delimiter ';'")
        let decoded = try JSONDecoder().decode(Diagnostic.self, from: data)
        #expect(decoded == diagnostic && decoded.related.first?.byteOffset == 10 && decoded.help != nil)

        let plain = Diagnostic(.csvSyntax, "a quote is missing")
        let plainData = try JSONEncoder().encode(plain)
        #expect(try JSONDecoder().decode(Diagnostic.self, from: plainData) == plain)
    }
}
