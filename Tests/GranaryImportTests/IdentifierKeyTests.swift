import GranaryBase
import GranaryContexts
import GranaryImport
import GranaryModel
import GranaryRecords
import Testing
@testable import SeedingTestSupport

/// The key `$id`: records change the stored objects with these primary keys.
@Suite struct IdentifierKeyTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Room",
            [
                .attribute("name", .string, .required), .attribute("size", .integer16),
                .toMany("beds", "Bed", inverse: "room"),
            ]),
        EntityDescription(
            "Bed",
            [.attribute("note", .string), .toOne("room", "Room", inverse: "beds"), .toOne("tag", "Tag", inverse: nil)]),
        EntityDescription("Tag", [.attribute("word", .string), .attribute("count", .integer16)], unique: [["word"]]),
    ])

    private static func filled(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "$id,name,size\nRoom/p1,A,1\nRoom/p2,B,2\n", "Room")
        try bench.load(csv: "word\nred\nblue\n", "Tag")
        try bench.load([
            EngineBench.job(csv: "name,size\nC,3\n", "Room"), EngineBench.job(csv: "note,tag\nx,red\ny,\n", "Bed"),
        ])
        return bench
    }

    private static func identified(_ options: inout ImportOptions) {
        options.key = ["$id"]
        options.onConflict = .update
    }

    @Test("Records with an $id change their objects, others are new", arguments: EngineBench.Kind.allCases)
    func updates(_ kind: EngineBench.Kind) throws {
        let bench = try Self.filled(kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "$id,name\nRoom/p2,Bath\n,New\nRoom/p3,C\n", "Room", Self.identified)
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 1, updated: 1, unchanged: 1))
        #expect(
            try bench.table("Room", "$id", "name", "size")
                == "$id,name,size\nRoom/p1,A,1\nRoom/p2,Bath,2\nRoom/p3,C,3\nRoom/p4,New,\n")
        #expect(try bench.faults() == [])
    }

    @Test("References name stored objects by $id and by key", arguments: EngineBench.Kind.allCases)
    func references(_ kind: EngineBench.Kind) throws {
        let bench = try Self.filled(kind)
        defer { bench.keep() }
        let run = try bench.load(
            csv: "$id,room,tag\nBed/p1,Room/p3,blue\nBed/p2,Room/p1,Tag/p1\n", "Bed", Self.identified)
        #expect(run.problems == [], "\(run.messages)")
        #expect(
            try bench.table("Bed", "note", "room", "tag") == "note,room,tag\nx,Room/p3,blue\ny,Room/p1,red\n")
        let unknown = try bench.load(csv: "$id,room\nBed/p1,Room/p9\n", "Bed", Self.identified)
        #expect(unknown.lines == ["2 relationship.notFound room"], "\(unknown.lines)")
    }

    @Test("What the store does not have is an error with its place", arguments: EngineBench.Kind.allCases)
    func unknown(_ kind: EngineBench.Kind) throws {
        let bench = try Self.filled(kind)
        defer { bench.keep() }
        let text = "name,$id\nX,Room/p9\nY,Bed/p1\nZ,Room/p1\nW,Room/p1\n"
        let run = try bench.load(csv: text, "Room", run: TestImport.keepGood, Self.identified)
        #expect(run.counts == RecordCounts(updated: 1, rejected: 3), "\(run.counts)")
        #expect(
            run.messages == [
                "the store has no object with the $id \"Room/p9\"; a record without $id is a new object",
                "the object with this $id is of the entity Bed, and a row cannot change its entity",
                "in.csv:4 has the same $id",
            ], "\(run.messages)")
        #expect(run.report.diagnostics.first?.position?.column == 3 && run.report.diagnostics.first?.field == "$id")
        #expect(try bench.table("Room", "name") == "name\nZ\nB\nC\n")
    }

    @Test("A document of several entities uses the $id where a record has one", arguments: EngineBench.Kind.allCases)
    func documents(_ kind: EngineBench.Kind) throws {
        let bench = try Self.filled(kind)
        defer { bench.keep() }
        let text = """
            {"entities":{"Room":[{"$id":"Room/p1","name":"Hall","beds":["Bed/p1","Bed/p2"]}],
            "Tag":[{"word":"red","count":5},{"word":"green"},{"$id":"Tag/p2","word":"azure"}]}}
            """
        let run = try bench.load(json: text, nil, Self.identified)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Bed", "note", "room") == "note,room\nx,Room/p1\ny,Room/p1\n")
        #expect(try bench.table("Tag", "word", "count") == "word,count\nred,5\nazure,\ngreen,\n")
        #expect(try bench.faults() == [])
        // The same document changes nothing.
        let again = try bench.load(json: text.replacing("\"red\"", with: "\"red\""), nil, Self.identified)
        #expect(again.counts == RecordCounts(unchanged: 4), "\(again.counts) \(again.messages)")
    }

    @Test("The key can be that of one entity") func entities() throws {
        let bench = try Self.filled(.memory)
        let run = try bench.load(
            json:
                #"{"entities":{"Room":[{"$id":"Room/p1","name":"Hall"}],"Tag":[{"$id":"Tag/p9","word":"red","count":1}]}}"#,
            nil
        ) {
            $0.nestedKeys = ["Room": ["$id"]]
            $0.onConflict = .update
        }
        #expect(run.problems == [] && run.counts == RecordCounts(updated: 2), "\(run.messages)")
        #expect(try bench.table("Room", "name") == "name\nHall\nB\nC\n")
    }

    @Test("Objects that no record names are pruned") func pruning() throws {
        let bench = try Self.filled(.sqlite)
        defer { bench.keep() }
        let run = try bench.load(csv: "$id,name\nRoom/p2,B\n,New\n", "Room") {
            Self.identified(&$0)
            $0.prunes = true
        }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Room", "name") == "name\nB\nNew\n")
    }

    @Test("Wrong uses are refused before reading")
    func usage() throws {
        let bench = try Self.filled(.memory)
        func message(_ text: String, _ entity: String?, _ change: (inout ImportOptions) -> Void) -> String {
            do {
                return try bench.load(json: text, entity, change).messages.joined(separator: " ")
            } catch let error as GranaryError { return "\(error.code) \(error.message)" } catch { return "\(error)" }
        }
        let create = message(#"[{"$id":"Room/p1"}]"#, "Room") { $0.key = ["$id"] }
        #expect(create.hasPrefix("usage the key $id finds stored objects"), "\(create)")
        // A mistyped key of several entities is no silent default.
        let nonsense = message(#"{"entities":{"Room":[{"name":"x"}]}}"#, nil) { $0.key = ["nonsense"] }
        #expect(nonsense == "usage the key: no entity has the property \"nonsense\"")
        let near = message(#"{"entities":{"Room":[{"name":"x"}]}}"#, nil) {
            $0.key = ["wort"]
            $0.onConflict = .update
        }
        #expect(near == "usage the key: no entity has the property \"wort\"; did you mean \"word\"?", "\(near)")
        let missing = try bench.load(csv: "name\nx\n", "Room", Self.identified)
        #expect(missing.lines == ["1 header.missing -"] || missing.lines.first?.contains("header.missing") == true)
    }

    @Test("A message about a text of the form of an $id names the key") func advice() throws {
        let bench = try Self.filled(.memory)
        let run = try bench.load(csv: "note,tag\nz,Tag/p1\n", "Bed")
        #expect(run.messages.first?.hasSuffix("; a text of this form is the $id of an exported object") == true)
        #expect(run.report.diagnostics.first?.help == "--key '$id' --on-conflict update")
    }

    private static let tokens = ManagedObjectModel(entities: [
        EntityDescription("User", [.attribute("token", .binary), .attribute("name", .string)], unique: [["token"]]),
        EntityDescription("Link", [.attribute("note", .string), .toOne("to", "User", inverse: nil)]),
    ])

    /// A text and what it means beside a user `User/p12` with the token "YWJj".
    @Test(
        "A text of the form of an $id that is also Base64 is the $id unless an object has these bytes as key",
        arguments: [
            ("User/p12", "", "note,to\na,YWJj\n"), ("YWJj", "", "note,to\na,YWJj\n"),
            ("User/p12", ",User/p12,Ann", "1 relationship.ambiguous to"),
            ("User/p99", "", #"there is no User with the key "User/p99""#),
            ("AAEC", "", #"there is no User with the key "AAEC""#),
        ])
    func binaryKeys(_ text: String, _ other: String, _ expected: String) throws {
        let bench = try EngineBench(Self.tokens, .sqlite)
        defer { bench.keep() }
        try bench.load(csv: "$id,token,name\nUser/p12,YWJj,Bob\n\(other.isEmpty ? "" : other + "\n")", "User")
        try bench.load(csv: "$id,note\nLink/p1,a\n", "Link")
        let run = try bench.load(
            json:
                #"{"entities":{"Link":[{"$id":"Link/p1","to":"\#(text)"}],"User":[{"$id":"User/p12","token":"YWJj"}]}}"#,
            nil
        ) {
            $0.nestedKeys = ["User": ["token"]]
            Self.identified(&$0)
        }
        let found = run.lines.isEmpty ? try bench.table("Link", "note", "to") : run.lines.joined()
        #expect(found == expected || run.messages.contains(expected), "\(found) \(run.messages)")
    }
}
