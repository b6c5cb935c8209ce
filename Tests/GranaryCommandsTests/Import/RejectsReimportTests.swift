import Foundation
import TestSupport
import Testing

/// A table of rejects that is imported again, corrected or not: no row is lost or changed without a word.
@Suite struct RejectsReimportTests {
    private let bench: PeopleBench

    init() throws { bench = try PeopleBench() }

    @Test func `A row that is still in its record field is rejected`() async throws {
        let result = try await bench.tabulate("name,age\nAnn \"x\",5\nB,6,7\n", as: "in.csv")
        #expect(result.code == 1, "\(result.messages)")
        let again = await bench.run(["@r.csv"])
        #expect(again.code == 65 && again.ledger.hasSuffix("rejected 2"), "\(again.messages)")
        #expect(again.messages.contains("the row is still in \"$record\""), "\(again.messages)")
        let changes = [("\"Ann \"\"x\"\",5\",,", ",Ann x,5"), ("\"B,6,7\",,", ",B,6")]
        try bench.edit(changes)
        let good = await bench.run(["@r.csv"])
        #expect(good.code == 0, "\(good.messages)")
        #expect(try bench.people("name,age") == ["Ann x,5", "B,6"])
    }

    @Test func `An empty record field in quotes is empty`() async throws {
        _ = try await bench.tabulate("name,age\nAnn,x\n", as: "in.csv")
        let row = "\"\",Ann,x"
        try bench.edit([(",Ann,x", row)])
        try bench.edit([("Ann,x", "Ann,7")])
        let again = await bench.run(["@r.csv", "--null", "-"])
        #expect(again.code == 0, "\(again.messages)")
    }

    @Test func `A rejected row keeps its record field in the next table`() async throws {
        _ = try await bench.tabulate("name,age\nB,6,7\n", as: "in.csv")
        let again = await bench.run(
            ["@r.csv", "--mode", "keep-good", "--rejects", "@r2.csv", "--rejects-format", "csv"])
        #expect(again.code == 1, "\(again.messages)")
        #expect(try bench.rows("r2.csv").map { $0["$record"] } == ["B,6,7"])
        #expect(try bench.columns("r2.csv") == ["name", "age"])
    }

    @Test func `A column without a name is a column of the table`() async throws {
        let result = try await bench.tabulate("name,,age\nAnn,1,x\n", as: "in.csv", ["--ignore", ""])
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.runs.text("r.csv").hasSuffix(",,Ann,1,x\n"))
    }

    @Test(arguments: [
        (["--escape", "\\"], "code,note,age\nc:\\\\\\\\x,x\\\\\\,y,z\n\"a\\\"b\",\"\\N\",z\n"),
        (["--escape", "^"], "code,note,age\n^^,^\",z\n\"^,\",a^\nb,z\n"),
    ])
    func `A table keeps what is escaped`(_ options: [String], _ text: String) async throws {
        let result = try await bench.tabulate(text, as: "in.csv", options)
        #expect(result.code == 1, "\(result.messages)")
        // The same rows without their error.
        _ = try bench.runs.folder.write(text.replacing(",z", with: ",3"), to: "good.csv")
        let expected = await bench.run(["@good.csv"] + options)
        #expect(expected.code == 0, "\(expected.messages)")
        let rows = try bench.people("code,note,age")
        try FileManager.default.removeItem(atPath: bench.runs.path("p.sqlite"))
        try bench.edit([(",z", ",3")])
        let again = await bench.run(["@r.csv"] + options)
        #expect(again.code == 0, "\(again.messages)")
        #expect(try bench.people("code,note,age") == rows)
    }

    @Test func `A header like a comment is quoted`() async throws {
        let result = try await bench.tabulate("name,age\nAnn,x\n", as: "in.csv", ["--comment", "$"])
        #expect(result.code == 1, "\(result.messages)")
        try bench.edit([("Ann,x", "Ann,5")])
        let again = await bench.run(["@r.csv", "--comment", "$"])
        #expect(again.code == 0, "\(again.messages)")
        #expect(try bench.people("name,age") == ["Ann,5"])
    }

    @Test func `A mark of order inside a file stays`() async throws {
        let result = try await bench.tabulate("code,age\nb,x\n\u{FEFF}c,x\n", as: "in.csv")
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.runs.text("r.csv").hasSuffix(",,\u{FEFF}c,x\n"))
    }

    @Test func `The line with the separator is kept`() async throws {
        let result = try await bench.tabulate("sep=;\nname;age\nAnn;x\n", as: "in.csv")
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.runs.text("r.csv").hasPrefix("sep=;\n$file;$line"))
        try bench.edit([("Ann;x", "Ann;5")])
        let again = await bench.run(["@r.csv"])
        #expect(again.code == 0, "\(again.messages)")
    }

    @Test func `Skipped lines keep their text`() async throws {
        _ = try await bench.tabulate("Title\n\nname,age\nAnn,x\n", as: "in.csv", ["--skip-rows", "2"])
        #expect(try bench.runs.text("r.csv").hasPrefix("Title\n\n$file,$line"))
    }

    @Test func `Two imports of one file have their own reasons`() async throws {
        _ = try bench.runs.folder.write("code,age\na,x\n", to: "in.csv")
        _ = try bench.runs.folder.write(
            """
            model: P.granary.yaml
            store: p.sqlite
            mode: keep-good
            rejects: r.csv
            rejects-format: csv
            imports:
              - {file: in.csv, entity: Person}
              - {file: in.csv, entity: House, map: {code: street, age: number}}

            """, to: "plan.yaml")
        let result = await bench.runs.run("seed", "@plan.yaml")
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.rows("r.csv").map { $0["$property"] } == ["age"])
        #expect(try bench.rows("r.2.csv").map { $0["$property"] } == ["number"])
    }
}
