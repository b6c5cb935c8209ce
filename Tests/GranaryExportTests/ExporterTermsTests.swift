import GranaryBase
import GranaryExport
import GranaryFormats
import GranaryModel
import GranaryPredicates
import Testing
@testable import SeedingTestSupport

struct ExporterTermsTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("key", .integer16), .attribute("name", .string), .attribute("size", .double)])
    ])

    private func terms(_ rows: [(Int64?, String?)], ordinal: String? = "key") throws -> String {
        let store = try ExportSamples.store(Self.model)
        for (index, row) in rows.enumerated() {
            var values: [String: AttributeValue] = [:]
            if let key = row.0 { values["key"] = .integer(key) }
            if let name = row.1 { values["name"] = .string(name) }
            try ExportSamples.insert("Injury", Int64(index + 1), values, into: store)
        }
        return try ExportSamples.text { output in
            try Exporter().runTerms(
                store, entity: "Injury", attributes: ["name"], ordinal: ordinal,
                into: TermsWriter(output, delimiter: "%"))
        }
    }

    @Test func inOrderOfTheOrdinals() throws {
        #expect(try terms([(2, "Burn"), (1, "Blunt Trauma"), (3, "C-Spine")]) == "Blunt Trauma%Burn%C-Spine\n")
        #expect(try terms([(9, "b"), (0, "a")], ordinal: nil) == "b%a\n")
        #expect(try terms([]) == "")
    }

    @Test(
        arguments: [
            ([(0, "a"), (2, "b")], "the ordinals jump from 0 to 2"),
            ([(1, "a"), (1, "b")], "two objects have the ordinal 1"),
            ([(nil, "a")], "Injury/p1: its ordinal is NULL"),
            ([(0, "a%b")], "row 1: the term \"a%b\" contains the delimiter"),
            ([(0, nil)], "row 1: the term \"\" is empty or NULL"),
        ] as [([(Int64?, String?)], String)])
    func refused(rows: [(Int64?, String?)], message: String) throws {
        let error = try #require(throws: GranaryError.self) { try terms(rows) }
        #expect(error.code == .refused)
        #expect(error.message.hasPrefix(message))
    }

    @Test func ordinalMustBeAnInteger() throws {
        let error = try #require(throws: GranaryError.self) { try terms([], ordinal: "size") }
        #expect(error.message == "Injury.size is a Double; an ordinal must be an integer")
        #expect(throws: GranaryError.self) { try terms([], ordinal: "nix") }
    }
}
