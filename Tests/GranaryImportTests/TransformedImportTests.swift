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
