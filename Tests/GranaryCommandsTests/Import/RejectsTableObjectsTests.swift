import Foundation
import TestSupport
import Testing

/// Tables of rejected records of JSON and property lists, which cannot hold everything.
@Suite struct RejectsTableObjectsTests {
    private let bench: PeopleBench

    init() throws { bench = try PeopleBench() }

    @Test func `A member that a record does not have stays as it is`() async throws {
        _ = try bench.runs.folder.write("code,note,city,age\na,old,Rome,1\n", to: "first.csv")
        #expect(await bench.run(["@first.csv"]).code == 0)
        let text = #"{"data":[{"code":"a","age":"x"},{"code":"b","age":"y","note":"new"}]}"#
        let result = try await bench.tabulate(text, as: "in.json", ["--records", "data", "--on-conflict", "update"])
        #expect(result.ledger.hasSuffix("rejected 2"), "\(result.messages)")
        #expect(try bench.columns() == ["code", "age", "note"])
        let rows = try bench.rows()
        #expect(rows.map { $0["$record"] } == [#"{"code":"a","age":"x"}"#, ""])
        try bench.edit([("\"a\",\"x\"", "\"a\",2"), ("\"y\",\"new\"", "3,\"new\"")])
        let again = await bench.run(["@r.csv", "--on-conflict", "update", "--mode", "keep-good"])
        #expect(again.messages.contains("still in \"$record\""), "\(again.messages)")
        #expect(try bench.people("code,note,city,age") == ["a,old,Rome,1", "b,new,Berlin,3"])
    }

    @Test func `Members of nested objects are no columns`() async throws {
        let text = #"[{"code":"c","age":"z","friends":[{"code":"q","note":"Q"}],"boss":{"street":"s"}}]"#
        let result = try await bench.tabulate(text, as: "in.json")
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.columns() == ["code", "age", "friends", "boss"])
        #expect(
            result.messages.contains("help: no field can have the objects of boss, friends; write the keys of stored"))
        let plain = try await bench.tabulate(
            #"[{"code":"c","age":"z","boss":"q","friends":[]}]"#, as: "plain.json", ["--force"])
        #expect(plain.code == 1 && !plain.messages.contains("no field can have"), "\(plain.messages)")
        _ = try await bench.tabulate(text, as: "in.json", ["--force"])
        #expect(try bench.rows().first?["$record"] == String(text.dropFirst().dropLast()))
    }

    @Test func `Columns of paths are those of the source`() async throws {
        let text = #"[{"code":"a","n":{"common":"x","name":"y"},"name":"u","l":[1,{"z":"9"}],"age":"x"}]"#
        let options = ["--map", "n.common=note", "--map", "l.1.z=city", "--ignore", "l", "--ignore", "n.name"]
        let result = try await bench.tabulate(text, as: "in.json", options)
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.columns() == ["code", "n", "name", "l", "age"])
        #expect(try bench.rows().first?["$record"] == String(text.dropFirst().dropLast()))
    }

    @Test func `A key of several values is the JSON list that an import reads`() async throws {
        _ = try bench.runs.folder.write("street,number\nU1,2\n", to: "h.csv")
        #expect(await bench.run(["@h.csv"], entity: "House").code == 0)
        let text =
            #"[{"code":"a","home":["U1",2],"friends":["x;y","z"],"age":"x"},"#
            + #"{"code":"x;y","home":null,"friends":[],"age":"x"},{"code":"z","home":null,"friends":null,"age":"x"}]"#
        let result = try await bench.tabulate(text, as: "in.json")
        #expect(result.code == 1, "\(result.messages)")
        let rows = try bench.rows()
        #expect(rows.map { $0["home"] } == [#"["U1",2]"#, "", ""])
        #expect(rows.map { $0["friends"] } == [#""x;y";z"#, "", ""])
        #expect(rows.map { $0["$record"] } == ["", "", ""])
        try bench.edit([("\"x\"\n", "1\n")])
        let again = await bench.run(["@r.csv"])
        #expect(again.code == 0, "\(again.messages)")
        #expect(try bench.people("code,home,friends") == [#"a,House/p1,"""x;y"";z""#, "x;y,,", "z,,"])
    }

    @Test func `Values that a cell would make a text are in the record field`() async throws {
        let text = #"[{"code":"a","name":5},{"code":"b","name":true},{"code":"c","name":["x"]},{"code":"d","name":[]}]"#
        let result = try await bench.tabulate(text, as: "in.json")
        #expect(result.ledger.hasSuffix("rejected 4"), "\(result.messages)")
        #expect(try bench.rows().allSatisfy { !($0["$record"] ?? "").isEmpty })
        #expect(await bench.run(["@r.csv"]).ledger.hasSuffix("rejected 4"))
    }

    @Test func `Numbers, nulls and lists keep their meaning with the options of the import`() async throws {
        let text =
            #"[{"code":"a","name":null,"friends":["NA"],"age":"x"},{"code":"NA","name":"","friends":["a"],"age":7000}]"#
        _ = try bench.runs.folder.write("code\na\nNA\n", to: "first.csv")
        #expect(await bench.run(["@first.csv", "--null", ""]).code == 0)
        let options = ["--null", "NA", "--list-separator", "|", "--on-conflict", "update"]
        let result = try await bench.tabulate(text.replacing("7000", with: "70000"), as: "in.json", options)
        #expect(result.ledger.hasSuffix("rejected 2"), "\(result.messages)")
        #expect(try bench.rows().map { $0["$record"] } == ["", ""])
        #expect(try bench.rows().map { $0["name"] } == ["NA", ""])
        try bench.edit([("\"x\"\n", "1\n"), ("70000", "7000")])
        let again = await bench.run(["@r.csv"] + options)
        #expect(again.code == 0, "\(again.messages)")
        #expect(try bench.people("code,name,friends,age") == ["a,,NA,1", "NA,\"\",a,7000"])
    }

    @Test func `Each entity of a document has a table, which names it`() async throws {
        let text = #"{"entities":{"Person":[{"code":"a","age":"x"}],"House":[{"street":"s","number":"y"}]}}"#
        let result = try await bench.tabulate(text, as: "in.json", entity: nil)
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.columns("r.csv") == ["$entity", "code", "age"])
        #expect(try bench.columns("r.2.csv") == ["$entity", "street", "number"])
        try bench.edit([("\"s\",\"y\"", "\"s\",5")], in: "r.2.csv")
        let wrong = await bench.run(["@r.2.csv"])
        #expect(wrong.code == 65, "\(wrong.messages)")
        let again = await bench.run(["@r.2.csv"], entity: "House")
        #expect(again.code == 0, "\(again.messages)")
    }

    @Test func `Dates and data of property lists`() async throws {
        let text = """
            <plist version="1.0"><array>
            <dict><key>code</key><string>a</string><key>photo</key><data>AP8=</data><key>age</key><string>x</string></dict>
            <dict><key>code</key><data>Qf8=</data><key>photo</key><string>AP8=</string><key>age</key><integer>1</integer></dict>
            <dict><key>code</key><date>2020-01-02T03:04:05Z</date><key>photo</key><string>AP8=</string><key>age</key><integer>1</integer></dict>
            <string>no dictionary</string>
            </array></plist>

            """
        let result = try await bench.tabulate(text, as: "in.plist")
        #expect(result.ledger.hasSuffix("rejected 4"), "\(result.messages)")
        let rows = try bench.rows()
        #expect(rows[0]["$record"] == "" && rows[0]["photo"] == "AP8=")
        #expect(rows[1]["$record"]?.contains(#"{"$data":"Qf8="}"#) ?? false)
        #expect(rows[2]["$record"]?.contains(#"{"$date":"2020-01-02T03:04:05Z"}"#) ?? false)
        #expect(rows[3]["$record"]?.isEmpty == false)
        #expect(await bench.run(["@r.csv"]).ledger.hasSuffix("rejected 4"))
    }

    @Test func `The key of a record is the name under which it was found`() async throws {
        let text = #"{"data": {"a": {"age": "x"}, "b": {}, "c": {"age": 1, "age": 2}}}"#
        _ = try bench.runs.folder.write("code,age\nb,1\n", to: "first.csv")
        #expect(await bench.run(["@first.csv"]).code == 0)
        let result = try await bench.tabulate(text, as: "in.json", ["--records", "data", "--record-key", "code"])
        #expect(result.ledger.hasSuffix("rejected 3"), "\(result.messages)")
        #expect(try bench.rows().map { $0["code"] } == ["a", "b", ""])
        #expect(
            try bench.rows().map { $0["$record"] } == ["", #"{"code":"b"}"#, #""c":{"age": 1, "age": 2}"#])
    }

    @Test func `A term that cannot be split keeps its number`() async throws {
        let options = ["--delimiter", "%", "--attribute", "code,name", "--field-delimiter", "|", "--ordinal", "age"]
        let result = try await bench.tabulate("a|b%c|d|e", as: "in.terms", options)
        #expect(result.ledger.hasSuffix("rejected 1"), "\(result.messages)")
        let row = try #require(try bench.rows().first)
        #expect(row["$record"] == "c|d|e" && row["age"] == "1", "\(row)")
    }
}
