import GranaryBase
import GranaryFormats
import GranaryPredicates
import GranaryRecords
import GranarySeedPlans
import Testing
@testable import GranaryImport

/// Rows and constant tables that stand in a plan have the places that they have there.
@Suite struct PlanRowsTests {
    private func sources(_ text: String) throws -> [ImportSource] {
        try PlanSample.plan(text).storeImports().flatMap { store in store.jobs.flatMap(\.sources) }
    }

    @Test func rowsAreTextsOnTheirLines() throws {
        let text = """
            store: S
            imports:
              - entity: E
                rows:
                  - {name: Ann, age: 007, ok: NO}
                  - name: "null"
                    age: ~
                    tags: [a, 'b']

                  - {}
            """
        let source = try #require(try sources(text).first)
        let reader = try source.open()
        try reader.readHeader()
        var record = Record()
        var found: [String] = []
        while case .record = try reader.next(into: &record) {
            let fields = record.fields.map { field in
                let bytes = record.bytes[Int(field.start)..<Int(field.end)]
                return "\(reader.columns[Int(field.column)])=\(field.kind) \(String(decoding: bytes, as: UTF8.self))"
            }
            found.append("\(record.line): \(fields.joined(separator: ", "))")
        }
        #expect(reader.sourceName == "plan.yaml")
        #expect(found.count == 3)
        #expect(found.first == "5: name=quoted Ann, age=quoted 007, ok=quoted NO")
        #expect(found.dropFirst().first?.hasPrefix("6: name=quoted null, age=null") ?? false)
        #expect(found.last?.hasPrefix("10: ") ?? false)
    }

    @Test func termsAreWhereThePlanHasThem() throws {
        let text = """
            store: S
            imports:
              - entity: E
                attribute: name
                delimiter: "%"
                terms: "Burn%%Cut"
            """
        let source = try #require(try sources(text).first)
        let reader = try source.open()
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no term")
            return
        }
        #expect(record.line == 6 && record.column == 13)
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            Issue.record("an empty term passed")
            return
        }
        #expect(diagnostic.position?.file == "plan.yaml")
        #expect(diagnostic.position?.line == 6 && diagnostic.position?.column == 18)
    }
}
