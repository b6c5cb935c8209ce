import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryInspection
import Testing
@testable import SeedingTestSupport

/// What a format itself calls a number is read its own way, and never as another number.
@Suite struct NumberKindTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "N", [.attribute("i", .integer64), .attribute("d", .double), .attribute("x", .decimal)])
    ])

    private static func plist(_ key: String, _ value: String) -> PropertyListReader {
        let text = "<plist><array><dict><key>\(key)</key>\(value)</dict></array></plist>"
        return PropertyListReader(ByteSource(bytes: Array(text.utf8), name: "n.plist"))
    }

    private func value(_ run: TestImport, _ key: String) throws -> AttributeValue? {
        var found: AttributeValue?
        let attribute = try #require(run.store.schema.entities[0].attribute(named: key))
        try run.store.read(entities: 0..<1, batchSize: 10) { batch in
            found = try batch.value(row: 0, of: attribute)
            return true
        }
        return found
    }

    @Test(
        "Separators are for texts only",
        arguments: [
            ("d", "1.234", AttributeValue.double(1.234)), ("d", "\"1.234\"", .double(1234)),
            ("d", "\"1.234,5\"", .double(1234.5)), ("i", "1234", .integer(1234)), ("i", "\"1.234\"", .integer(1234)),
            ("x", "0.5", .decimal(0.5)), ("x", "\"0,5\"", .decimal(0.5)),
        ])
    func separators(_ key: String, _ json: String, _ expected: AttributeValue) throws {
        let run = try TestImport.json("[{\"\(key)\":\(json)}]", "N", Self.model) {
            $0.decimalSeparator = ","
            $0.groupSeparator = "."
        }
        #expect(run.report.created == 1, "\(run.problems)")
        #expect(try value(run, key) == expected)
    }

    @Test(
        "A real of an XML list is its digits",
        arguments: [
            ("x", "0.1", AttributeValue.decimal(0.1)), ("x", "+1.50", .decimal(1.5)), ("d", "1e-3", .double(0.001)),
            ("d", "0.10000000000000001", .double(0.1)),
            ("x", "0.12345678901234567890", .decimal(Decimal(string: "0.1234567890123456789") ?? 0)),
        ])
    func reals(_ key: String, _ text: String, _ expected: AttributeValue) throws {
        let run = try TestImport.of([Self.plist(key, "<real>\(text)</real>")], "N", try ExportSamples.store(Self.model))
        #expect(run.report.created == 1, "\(run.problems)")
        #expect(try value(run, key) == expected)
    }

    @Test(
        "A real that would be another number is rejected, as in CSV and JSON",
        arguments: [
            ("d", "1e-400", "value.range"),
            ("x", "0.1234567890123456789012345678901234567890", "value.precision"),
            ("x", "1e-400", "value.range"), ("i", "0.00000000000000000000001", "value.syntax"),
        ])
    func rejectedReals(_ key: String, _ text: String, _ code: String) throws {
        let list = try TestImport.of(
            [Self.plist(key, "<real>\(text)</real>")], "N", try ExportSamples.store(Self.model))
        let json = try TestImport.json("[{\"\(key)\":\(text)}]", "N", Self.model)
        for run in [list, json] {
            #expect(run.report.diagnostics.map(\.code.rawValue) == [code], "\(run.report.diagnostics)")
        }
    }

    @Test("A control byte behind an object, or on a line of its own, rejects the line of JSON Lines")
    func controlBytes() throws {
        let lines = "{\"i\":1}\u{0}\n\u{0}\n{\"i\":2}\t \r\n\n{\"i\":3}\u{1F}\n"
        var options = JSONReader.Options()
        options.lines = true
        let reader = JSONReader(ByteSource(bytes: Array(lines.utf8), name: "n.ndjson"), options: options)
        let result = try TestImport.of([reader], "N", try ExportSamples.store(Self.model), run: TestImport.keepGood)
        #expect(result.report.created == 1 && result.report.rejected == 3, "\(result.problems)")
        #expect(result.report.diagnostics.map { $0.position?.line } == [1, 2, 5])
    }
}
