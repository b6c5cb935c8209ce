import Foundation
import TestSupport
import Testing

@testable import GranaryBase

@Suite("Groups of diagnostics") struct DiagnosticGroupTests {
    private struct Rule: Hashable {
        let code: Diagnostic.Code
        let severity: Diagnostic.Severity
        let entity: String?
        let property: String?

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code
            severity = diagnostic.severity
            entity = diagnostic.entity
            property = diagnostic.property
        }

        init(_ group: DiagnosticGroup) {
            code = group.code
            severity = group.severity
            entity = group.entity
            property = group.property
        }
    }

    @Test("A hundred thousand are counted as a slow count does, though few are kept")
    func manyDiagnostics() {
        var random = SeededGenerator(seed: 4)
        let codes: [Diagnostic.Code] = [.valueSyntax, .valueRange, .uniqueDuplicate, .headerUnknown]
        let names = [nil, "Patient", "Injury", "Responder"]
        let severities: [Diagnostic.Severity] = [.error, .error, .warning, .note]
        var collector = DiagnosticCollector(limit: 10)
        var all: [Diagnostic] = []
        for line in 1...100_000 {
            let code = codes.randomElement(using: &random) ?? .valueSyntax
            let severity = severities.randomElement(using: &random) ?? .error
            let entity = names.randomElement(using: &random) ?? nil
            let property = names.randomElement(using: &random) ?? nil
            let position = line % 7 == 0 ? nil : SourcePosition(file: "a.csv", line: line, column: 1)
            all.append(
                Diagnostic(code, "wrong", severity: severity, at: position, entity: entity, property: property))
        }
        collector.add(contentsOf: all)
        let groups = collector.groups
        let expected = Dictionary(grouping: all) { Rule($0) }
        #expect(groups.count == expected.count)
        #expect(groups.reduce(0) { $0 + $1.count } == 100_000 && collector.diagnostics.count == 10)
        var wrong = 0
        for group in groups {
            let diagnostics = expected[Rule(group)] ?? []
            let places = Array(diagnostics.compactMap { $0.position }.prefix(DiagnosticGroup.placeLimit))
            if group.count != diagnostics.count || group.first != places { wrong += 1 }
        }
        #expect(wrong == 0)
        // The order is that of the first of each.
        var seen: Set<Rule> = []
        let order = all.map { Rule($0) }.filter { seen.insert($0).inserted }
        #expect(groups.map { Rule($0) } == order)
    }

    @Test("Groups past the limit are counted in one, the worst of them told")
    func manyRules() throws {
        var collector = DiagnosticCollector(limit: 0)
        for number in 0..<1500 {
            let severity = number == 1300 ? Diagnostic.Severity.error : .warning
            collector.add(Diagnostic(.valueSyntax, "wrong", severity: severity, entity: "E\(number)"))
            collector.add(Diagnostic(.valueSyntax, "wrong", severity: severity, entity: "E\(number)"))
        }
        let groups = collector.groups
        #expect(groups.count == 1001 && groups.reduce(0) { $0 + $1.count } == 3000)
        let last = try #require(groups.last)
        #expect(last.code.rawValue == "more" && last.count == 1000 && last.severity == .error)
        #expect(groups[999].entity == "E999" && groups[999].count == 2)
    }

    @Test("As JSON the code is its text")
    func json() throws {
        let group = DiagnosticGroup(
            .valueSyntax, severity: .warning, entity: "Patient", property: "age", count: 3,
            first: [SourcePosition(file: "a.csv", line: 2, column: 1)])
        let data = try JSONEncoder().encode([group])
        let object = try #require((JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
        #expect(object["code"] as? String == "value.syntax" && object["severity"] as? String == "warning")
        #expect(object["count"] as? Int == 3 && (object["first"] as? [[String: Any]])?.count == 1)
        #expect(try JSONDecoder().decode([DiagnosticGroup].self, from: data) == [group])
    }

    @Test("A line is made of its place, its severity and its statement")
    func description() {
        let position = SourcePosition(file: "a.csv", line: 2, column: 3)
        let full = Diagnostic(.valueSyntax, "wrong", at: position, entity: "Patient", property: "age")
        #expect("\(full)" == "a.csv:2:3: error: Patient.age: wrong [value.syntax]")
        #expect(full.place == "a.csv:2:3" && full.statement == "Patient.age: wrong [value.syntax]")
        let bare = Diagnostic(.valueSyntax, "wrong", severity: .note, property: "age")
        #expect("\(bare)" == "note: age: wrong [value.syntax]" && bare.place == nil)
    }
}
