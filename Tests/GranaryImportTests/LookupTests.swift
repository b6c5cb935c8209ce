import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// References by key: what they find, and what is said when they do not.
@Suite struct LookupTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("key", .integer16), .attribute("name", .string)], unique: [["name"]]),
        EntityDescription("Burn", [.attribute("degree", .integer16)], superentity: "Injury"),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string), .toOne("injury", "Injury", inverse: nil),
                .toOne("bed", "Bed", inverse: "patient"), .toOne("doctor", "Person", inverse: nil),
            ]),
        EntityDescription("Bed", [.attribute("number", .integer16), .toOne("patient", "Patient", inverse: "bed")]),
        EntityDescription(
            "Person",
            [
                .attribute("code", .string), .attribute("title", .string), .toOne("boss", "Person", inverse: "staff"),
                .toMany("staff", "Person", inverse: "boss"), .toMany("friends", "Person", inverse: nil, .ordered),
            ]),
    ])

    private static func injuries() throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        _ = try TestImport.csv("key,name\n1,Burn\n2,Fracture\n3,Burnt Ear\n", "Injury", into: store)
        _ = try TestImport.csv("key,name,degree\n4,Deep Burn,3\n", "Burn", into: store)
        return store
    }

    @Test func `The uniqueness constraint is the key where nothing is said`() throws {
        let run = try TestImport.csv(
            "name,injury\nAnn,Burn\nBob,\nCy,Deep Burn\n", "Patient", into: try Self.injuries())
        #expect(try run.csv("Patient", columns: ["name", "injury"]) == "name,injury\nAnn,Burn\nBob,\nCy,Deep Burn\n")
    }

    @Test func `Numbers are keys by their value, not by their text`() throws {
        let run = try TestImport.csv("name,injury\nAnn,+2\n", "Patient", into: try Self.injuries()) {
            $0.lookups = ["injury": .attribute("key")]
        }
        #expect(try run.csv("Patient", columns: ["injury"]) == "injury\nFracture\n")
        let wrong = try TestImport.csv("name,injury\nAnn,two\n", "Patient", into: try Self.injuries()) {
            $0.lookups = ["injury": .attribute("key")]
        }
        #expect(wrong.problems == ["2:5 value.syntax injury"])
    }

    @Test func `What is not there is named with its place and a hint`() throws {
        let run = try TestImport.csv("name,injury\nAnn,Brun\nBob,\"x, y\"\n", "Patient", into: try Self.injuries())
        #expect(run.problems == ["2:5 relationship.notFound injury", "3:5 relationship.notFound injury"])
        #expect(
            run.messages == [
                "there is no Injury with the key \"Brun\"; did you mean \"Burn\"?",
                "there is no Injury with the key \"x, y\"",
            ])
        #expect(run.report.rejected == 2 && run.report.skipped == 0)
    }

    @Test(
        "A key that has lost its leading zeros is found",
        arguments: [
            ("27", #"there is no Person with the key "27", but one with the key "00027""#, true),
            ("028", #"there is no Person with the key "028", but one with the key "00028""#, true),
            ("x27", #"there is no Person with the key "x27""#, false),
            ("9", #"there is no Person with the key "9""#, false),
        ])
    func leadingZeros(_ text: String, _ message: String, _ hasHelp: Bool) throws {
        let run = try TestImport.csv(
            "code,boss\n00027,\n00028,\nabc,\(text)\n", "Person", Self.model
        ) { $0.lookups = ["boss": .attribute("code")] }
        #expect(run.messages == [message])
        #expect(
            (run.report.diagnostics.first?.help?.hasPrefix("the column has lost its leading zeros") ?? false) == hasHelp
        )
    }

    @Test func `A row may refer to a later one, to itself, and in a circle`() throws {
        let text = "code,boss\na,b\nb,c\nc,a\nd,d\n"
        let run = try TestImport.csv(text, "Person", Self.model) { $0.lookups = ["boss": .attribute("code")] }
        var options = ExportOptions()
        options.entities = ["Person"]
        options.columns = ["$id", "code", "boss"]
        #expect(
            try ExportSamples.csv(run.store, options)
                == "$id,code,boss\nPerson/p1,a,Person/p2\nPerson/p2,b,Person/p3\nPerson/p3,c,Person/p1\n"
                + "Person/p4,d,Person/p4\n")
    }

    @Test func `Objects of one key are taken for one only when they are equal`() throws {
        let equal = try TestImport.csv("code,title,boss\na,x,\na,x,\nb,y,a\n", "Person", Self.model) {
            $0.lookups = ["boss": .attribute("code")]
        }
        #expect(equal.problems == ["4:5 relationship.ambiguous boss"])
        #expect(equal.report.diagnostics.map(\.severity) == [.warning])
        #expect(equal.report.created == 3)
        let different = try TestImport.csv("code,title,boss\na,x,\na,z,\nb,y,a\n", "Person", Self.model) {
            $0.lookups = ["boss": .attribute("code")]
        }
        #expect(different.problems == ["4:5 relationship.ambiguous boss"])
        #expect(different.report.diagnostics.map(\.severity) == [.error])
        #expect(different.report.ledger == "read 3 = created 0 + updated 0 + unchanged 0 + skipped 2 + rejected 1")
    }

    @Test func `A one-to-one takes an object once`() throws {
        let store = try ExportSamples.store(Self.model)
        _ = try TestImport.csv("number\n1\n2\n", "Bed", into: store)
        let options: (inout ImportOptions) -> Void = { $0.lookups = ["bed": .attribute("number")] }
        let twice = try TestImport.csv("name,bed\nAnn,1\nBob,1\n", "Patient", into: store, options)
        #expect(twice.problems == ["3:5 relationship.taken bed"])
        #expect(twice.report.diagnostics.first?.related.map(\.line) == [2])
        let once = try TestImport.csv("name,bed\nAnn,1\nBob,2\n", "Patient", into: store, options)
        #expect(once.report.created == 2)
        #expect(try once.csv("Bed", columns: ["number", "patient"]) == "number,patient\n1,Patient/p1\n2,Patient/p2\n")
    }

    @Test func `To-many relationships take a list, in order`() throws {
        let text = "code,friends\na,\nb,c;a\n\"c;d\",\n"
        let run = try TestImport.csv(text, "Person", Self.model) { $0.lookups = ["friends": .attribute("code")] }
        #expect(run.problems == ["3:3 relationship.notFound friends"])
        let json = try TestImport.json(
            "[{\"code\":\"a\",\"friends\":[]},{\"code\":\"b\",\"friends\":[\"c;d\",\"a\"]},{\"code\":\"c;d\"}]",
            "Person",
            Self.model
        ) { $0.lookups = ["friends": .attribute("code")] }
        #expect(
            try json.csv("Person", columns: ["code", "friends"])
                == "code,friends\na,\nb,Person/p3;Person/p1\nc;d,\n")
    }

    @Test func `References by $id, and keys kept in a new store`() throws {
        let text = "$id,code,boss\nPerson/p7,a,Person/p3\nPerson/p3,b,\n,c,Person/p7\n"
        let run = try TestImport.csv(text, "Person", Self.model)
        let expected = "$id,code,boss\nPerson/p3,b,\nPerson/p7,a,Person/p3\nPerson/p8,c,Person/p7\n"
        #expect(try run.csv("Person", columns: ["$id", "code", "boss"]) == expected)
        let again = try TestImport.csv(text, "Person", into: run.store)
        #expect(again.report.created == 3)
        #expect(try again.csv("Person", columns: ["$id"]).split(separator: "\n").count == 7)
        let twice = try TestImport.csv("$id,code\nPerson/p1,a\nPerson/p1,b\n", "Person", Self.model)
        #expect(twice.problems == ["3:1 unique.duplicate -"])
    }

    @Test func `Files of one import see each other`() throws {
        let patients = "name,injury\nAnn,Burn\n"
        let store = try ExportSamples.store(Self.model)
        let document = """
            {"entities":{"Patient":[{"name":"Ann","injury":"Burn"}],"Injury":[{"key":1,"name":"Burn"}]}}
            """
        let run = try TestImport.of([TestImport.reader(json: document)], nil, store)
        #expect(run.report.created == 2)
        let alone = try TestImport.csv(patients, "Patient", into: store)
        #expect(try alone.csv("Patient", columns: ["injury"]) == "injury\nBurn\nBurn\n")
    }

    @Test func `Rows with and without $id share the keys of a new store`() throws {
        let text =
            "[{\"code\":\"a\"},{\"$id\":\"Person/p1\",\"code\":\"b\"},{\"$id\":\"Person/p5\",\"code\":\"c\"},"
            + "{\"code\":\"d\"},{\"$id\":\"Person/p2\",\"code\":\"e\",\"boss\":\"Person/p1\"}]"
        let run = try TestImport.json(text, "Person", Self.model)
        #expect(run.report.created == 5, "\(run.messages)")
        let expected = "$id,code,boss\nPerson/p1,a,\nPerson/p2,b,\nPerson/p5,c,\nPerson/p6,d,\nPerson/p7,e,Person/p2\n"
        #expect(try run.csv("Person", columns: ["$id", "code", "boss"]) == expected)
    }

    @Test func `Keys end where 64 bits do`() throws {
        let last = "Person/p\(Int64.max)"
        let text = "[{\"$id\":\"\(last)\",\"code\":\"a\"}]"
        #expect(try TestImport.json(text, "Person", Self.model).csv("Person", columns: ["$id"]) == "$id\n\(last)\n")
        let more = try TestImport.json("[{\"$id\":\"\(last)\",\"code\":\"a\"},{\"code\":\"b\"}]", "Person", Self.model)
        #expect(more.report.diagnostics.map(\.code) == [.limitExceeded])
        #expect(try more.store.count(entity: 0) == 0)
    }
}
