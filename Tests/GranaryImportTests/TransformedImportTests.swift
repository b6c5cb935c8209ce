import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Values of Transformable attributes in JSON, in and out.
@Suite struct TransformedImportTests {
    static let model = TransformedModel.model

    static func base64(_ value: any Sendable) throws -> String {
        try AttributeTransformer.secureUnarchiveFromData.encode(value).base64EncodedString()
    }

    static let json = #"[{"code":"a","tags":["x",1,2.5,true,null,{"k":[]}]},{"code":"b","tags":{"$archive":"AQI="}}]"#

    static func expected() throws -> String {
        let inner: [String: any Sendable] = ["k": [String]()]
        let value: [any Sendable] = ["x", 1, 2.5, true, ArchivedNull(), inner]
        return "code,tags\na,\(try base64(value))\nb,AQI=\n"
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A list is archived, and the same list again is no change`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let run = try bench.load(json: Self.json, "Note")
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Note", "code", "tags") == Self.expected())
        let again = try bench.load(json: Self.json, "Note", EngineBench.update)
        #expect(again.counts == RecordCounts(unchanged: 2))
        let other = #"[{"code":"a","tags":["x"]},{"code":"b","tags":null}]"#
        let changed = try bench.load(json: other, "Note", EngineBench.update)
        #expect(changed.counts == RecordCounts(updated: 2))
        #expect(try bench.table("Note", "code", "tags") == "code,tags\na,\(Self.base64(["x"]))\nb,\n")
    }

    @Test(arguments: [true, false])
    func `A field of CSV and a member of a property list can have the value`(_ byRecord: Bool) throws {
        var run = ImportRunOptions()
        run.readsRecordByRecord = byRecord
        let store = try ExportSamples.store(Self.model)
        let value = #"["x",1,2.5,true,null,{"k":[]}]"#
        let text = "code,tags\na,\"\(value.replacing("\"", with: "\"\""))\"\nb,{\"$archive\":\"AQI=\"}\n"
            .replacing("{\"$archive\":\"AQI=\"}", with: "\" {\"\"$archive\"\":\"\"AQI=\"\"}\"")
        let csv = try TestImport.csv(text, "Note", into: store, run: run)
        #expect(csv.problems == [], "\(csv.messages)")
        #expect(try csv.csv("Note", columns: ["code", "tags"]) == Self.expected())
        for bad in ["[1", "{\"\"a\"\":}", "[1] x", "[\"\"\u{5C}ud800\"\"]"] {
            let wrong = try TestImport.csv("code,tags\na,\"\(bad)\"\n", "Note", into: store, run: run) {
                $0.onConflict = .update
            }
            #expect(wrong.problems == ["2:3 value.syntax tags"] || wrong.problems == ["2:3 encoding.invalid tags"])
            #expect(wrong.messages.first?.contains("it begins as JSON, but") ?? false, "\(wrong.messages)")
        }
        func list(_ tags: String) throws -> TestImport {
            let text =
                "<plist><array><dict><key>code</key><string>c</string><key>tags</key>\(tags)</dict></array></plist>"
            let reader = PropertyListReader(ByteSource(bytes: Array(text.utf8), name: "in.plist"))
            return try TestImport.of([reader], "Note", try ExportSamples.store(Self.model), run: run)
        }
        let inner = "<array><string>x</string><dict><key>k</key><array/></dict><integer>1</integer><true/></array>"
        let good = try list(inner)
        #expect(good.problems == [], "\(good.messages)")
        let found: [any Sendable] = ["x", ["k": [String]()] as [String: any Sendable], 1, true]
        #expect(try good.csv("Note", columns: ["tags"]) == "tags\n\(Self.base64(found))\n")
        let date = try list("<array><date>2024-01-01T00:00:00Z</date></array>").problems
        #expect(date.count == 1 && date.first?.hasPrefix("1:76 value.syntax") ?? false, "\(date)")
        #expect(try list("<array/>").problems == [])
    }

    @Test func `Objects inside, documents and mapped names are told apart by their entity`() throws {
        let run = try TestImport.json(
            #"{"entities":{"Book":[{"title":"t","point":"p","notes":[{"code":"a","TAGS":[[{"code":1}]]}]}]}}"#,
            nil, Self.model)
        #expect(run.problems == [], "\(run.messages)")
        #expect(
            try run.csv("Note", columns: ["code", "tags"])
                == "code,tags\na,\(Self.base64([[["code": 1]]]))\n")
        #expect(try run.csv("Book", columns: ["point"]) == "point\np\n")
        let mapped = try TestImport.json(#"[{"code":"a","words":{"k":[1]}}]"#, "Note", Self.model) {
            $0.columnMap = ["words": "tags"]
        }
        #expect(mapped.problems == [], "\(mapped.messages)")
        #expect(try mapped.csv("Note", columns: ["tags"]) == "tags\n\(Self.base64(["k": [1]]))\n")
    }

    @Test(
        arguments: [
            (#""tags":[1,{"k":1,"k":2}]"#, #""k":2"#, "value.syntax tags"),
            (#""tags":[[1e400]]"#, "1e400", "value.range tags"),
            (#""tags":{"a":123456789012345678901}"#, "123456789012345678901", "value.range tags"),
            (#""tags":{"$id":1}"#, #""$id""#, "value.syntax tags"),
            (#""tags":{"$archive":"A"}"#, #""A""#, "value.syntax tags"),
            (#""tags":{"$value":[1]}"#, #""$value""#, "value.syntax tags"),
            (#""tags":5"#, "5", "value.syntax tags"), (#""tags":true"#, "true", "value.syntax tags"),
            (#""tags":"[1]""#, #""[1]""#, "value.syntax tags"),
            (#""point":[7]"#, "[7]", "value.syntax point"),
        ] as [(String, String, String)])
    func `What is wrong is told where it stands`(_ member: String, _ place: String, _ problem: String) throws {
        let text = #"[{"code":"a",\#(member)}]"#
        let run = try TestImport.json(text, "Note", Self.model)
        #expect(run.problems == ["1:\(EngineBench.column(of: place, in: text)) \(problem)"], "\(run.messages)")
        #expect(run.report.diagnostics.first?.entity == "Note")
    }

    @Test func `The bytes for another transformer are taken`() throws {
        let run = try TestImport.json(
            #"[{"code":"a","point":{"$archive":"01ff","$value":[1]}}]"#, "Note", Self.model
        ) { $0.binaryFormat = .hex }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try run.csv("Note", columns: ["point"]) == "point\nAf8=\n")
    }

    @Test func `Valid records stay beside rejected ones`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let text = #"[{"code":"a","tags":[1e999]},{"code":"b","tags":[1]}]"#
        let run = try bench.load(json: text, "Note", run: TestImport.keepGood)
        #expect(run.counts == RecordCounts(created: 1, rejected: 1))
        #expect(try bench.table("Note", "code", "tags") == "code,tags\nb,\(Self.base64([1]))\n")
    }
}
