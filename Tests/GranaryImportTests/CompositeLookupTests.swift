import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// References by a key of several values.
@Suite struct CompositeLookupTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Doctor",
            [
                .attribute("last", .string), .attribute("room", .integer16),
                .toMany("visitors", "Patient", inverse: "seen"),
            ], unique: [["last", "room"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string), .toOne("doctor", "Doctor", inverse: nil),
                .toMany("seen", "Doctor", inverse: "visitors", .ordered),
            ]),
    ])

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "last,room\nSmith,7\nSmith,8\n\"O;\"\"N\",9\n", "Doctor")
        return bench
    }

    /// As RFC 4180 quotes a field, and a list its elements.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A key is a JSON array, an element of a list quoted as a field is`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let special = "[\"O;\\\"N\", 9]"
        let list = [#"["Smith",8]"#, special].map { Self.quoted($0) }.joined(separator: ";")
        let text =
            "name,doctor,seen\nAnn,\(Self.quoted(#"["Smith",7]"#)),\(Self.quoted(list))\nBob,,\n"
            + "Cy,\(Self.quoted(special)),\(Self.quoted(Self.quoted(#" [ "Smith" , "7" ] "#)))\n"
        let run = try bench.load(csv: text, "Patient")
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 3))
        var options = ExportOptions()
        options.entities = ["Patient"]
        options.columns = ["name", "doctor", "seen"]
        options.reference = .id
        #expect(
            try ExportSamples.csv(bench.store, options)
                == "name,doctor,seen\nAnn,Doctor/p1,Doctor/p2;Doctor/p3\nBob,,\nCy,Doctor/p3,Doctor/p1\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `In JSON it is an array`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = #"""
            [{"name":"Ann","doctor":["Smith",7],"seen":[["Smith",8],["O;\"N",9]]},
            {"name":"Bob","doctor":null,"seen":[]},
            {"name":"Cy","doctor":"[\"Smith\",8]","seen":["[\"Smith\",7]"]}]
            """#
        let run = try bench.load(json: text, "Patient")
        #expect(run.problems == [], "\(run.messages)")
        var options = ExportOptions()
        options.entities = ["Patient"]
        options.columns = ["name", "doctor", "seen"]
        options.reference = .id
        #expect(
            try ExportSamples.csv(bench.store, options)
                == "name,doctor,seen\nAnn,Doctor/p1,Doctor/p2;Doctor/p3\nBob,,\nCy,Doctor/p2,Doctor/p1\n")
    }

    @Test func `The attributes may be said, in another order too`() throws {
        let run = try Self.seeded(.memory).load(csv: "name,doctor\nAnn,\(Self.quoted(#"[8,"Smith"]"#))\n", "Patient") {
            $0.lookups = ["doctor": .attributes(["room", "last"])]
        }
        #expect(run.counts == RecordCounts(created: 1))
        let wrong = try Self.seeded(.memory).load(
            csv: "name,doctor\nAnn,\(Self.quoted(#"["Smith",8]"#))\n", "Patient"
        ) { $0.lookups = ["doctor": .attributes(["room", "last"])] }
        #expect(wrong.problems == ["2:5 value.syntax doctor"])
    }

    struct Bad: Sendable {
        let key: String
        let code: String
        let message: String
    }

    private static let bad = [
        Bad(key: #"["Smith"]"#, code: "value.syntax", message: "a key here has 2 values (last, room), not 1"),
        Bad(key: #"["Smith",7,8]"#, code: "value.syntax", message: "a key here has 2 values (last, room), not 3"),
        Bad(key: #"["Smith",null]"#, code: "value.syntax", message: "room is null, and a key cannot contain NULL"),
        Bad(key: #"["Smith","x"]"#, code: "value.syntax", message: "\"x\" is not a"),
        Bad(
            key: #"["Smith",1]"#, code: "relationship.notFound",
            message: "there is no Doctor with the key [\"Smith\", 1]"),
        Bad(
            key: #"["smith",7]"#, code: "relationship.notFound",
            message: "there is no Doctor with the key [\"smith\", 7]"),
    ]

    @Test(arguments: bad.indices, ["doctor", "seen"])
    func `A wrong key is said with its place`(_ index: Int, _ property: String) throws {
        let test = Self.bad[index]
        let field = property == "seen" ? Self.quoted(Self.quoted(test.key)) : Self.quoted(test.key)
        let csv = try Self.seeded(.memory).load(csv: "name,\(property)\nAnn,\(field)\n", "Patient")
        #expect(csv.problems == ["2:5 \(test.code) \(property)"])
        #expect(csv.messages.first?.hasPrefix(test.message) ?? false, "\(csv.messages)")
        let value = property == "seen" ? "[\(test.key)]" : test.key
        let text = "[{\"name\":\"Ann\",\"\(property)\":\(value)}]"
        let json = try Self.seeded(.memory).load(json: text, "Patient")
        // A list in a list begins at its bracket, the parts of one key where the first part does.
        let place = EngineBench.column(of: property == "seen" ? test.key : String(test.key.dropFirst()), in: text)
        #expect(json.problems == ["1:\(place) \(test.code) \(property)"])
        #expect(json.messages.first?.hasPrefix(test.message) ?? false, "\(json.messages)")
        // Nothing of the key's own form shows.
        for problem in csv.report.diagnostics + json.report.diagnostics {
            #expect(!problem.message.utf8.contains(0) && !(problem.value ?? "").utf8.contains(0))
        }
    }

    @Test(arguments: ["Smith", "[\"Smith\",7", "{\"last\":\"Smith\"}", "[[\"Smith\"],7]", "[\"Smith\",7] x", "[]"])
    func `What is no JSON array is no key`(_ key: String) throws {
        let run = try Self.seeded(.memory).load(csv: "name,doctor\nAnn,\(Self.quoted(key))\n", "Patient")
        #expect(run.problems == ["2:5 value.syntax doctor"])
        #expect(run.report.rejected == 1)
    }

    // MARK: Round trips

    @Test(arguments: EngineBench.Kind.allCases)
    func `What is exported by key is imported again`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let list = [#"["Smith",8]"#, "[\"O;\\\"N\",9]"].map { Self.quoted($0) }.joined(separator: ";")
        try bench.load(
            csv: "name,doctor,seen\nAnn,\(Self.quoted(#"["Smith",7]"#)),\(Self.quoted(list))\nBob,,\n", "Patient")
        var options = ExportOptions()
        options.reference = .key
        let document = try ExportSamples.json(bench.store, options, shape: .document)
        let second = try EngineBench(Self.model, kind)
        defer { second.keep() }
        let run = try second.load(json: document, nil)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try ExportSamples.json(second.store, options, shape: .document) == document)
        // As CSV, a file an entity.
        options.entities = ["Patient"]
        let patients = try ExportSamples.csv(bench.store, options)
        let third = try Self.seeded(kind)
        defer { third.keep() }
        let tables = try third.load(csv: patients, "Patient")
        #expect(tables.problems == [], "\(tables.messages)")
        #expect(try ExportSamples.csv(third.store, options) == patients)
    }

    /// By default an export names objects whose only key has several values by `$id`.
    @Test(arguments: EngineBench.Kind.allCases)
    func `What is exported without options is imported without options`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let list = [#"["Smith",8]"#, #"["Smith",7]"#].map { Self.quoted($0) }.joined(separator: ";")
        try bench.load(
            csv: "name,doctor,seen\nAnn,\(Self.quoted(#"["Smith",7]"#)),\(Self.quoted(list))\nBob,,\n", "Patient")
        let options = ExportOptions()
        let document = try ExportSamples.json(bench.store, options, shape: .document)
        #expect(document.contains("\"Doctor/p1\""))
        let second = try EngineBench(Self.model, kind)
        defer { second.keep() }
        let run = try second.load(json: document, nil)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try ExportSamples.json(second.store, options, shape: .document) == document)
        // One that says what the column holds means it.
        let wrong = try Self.seeded(.memory).load(csv: "name,doctor\nAnn,Doctor/p1\n", "Patient") {
            $0.lookups = ["doctor": .attributes(["last", "room"])]
        }
        #expect(wrong.problems == ["2:5 value.syntax doctor"])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `What is missing is made of all parts of its key`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let key = Self.quoted(#"["New",1]"#)
        let run = try bench.load(csv: "name,doctor\nAnn,\(key)\nBob,\(key)\n", "Patient") { $0.onMissing = .create }
        #expect(run.report.madeByLookup == 1)
        #expect(try bench.table("Doctor", "last", "room").hasSuffix("New,1\n"))
    }
}
