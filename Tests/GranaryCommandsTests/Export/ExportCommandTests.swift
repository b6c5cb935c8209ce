import ArgumentParser
import Foundation
import GranaryFormats
import GranaryModel
import TestSupport
import Testing

@testable import GranaryCommands

struct ExportCommandTests {
    private func prepared() throws -> CommandRun {
        let run = try CommandRun()
        try run.writeStore()
        return run
    }

    @Test func oneEntityToAFile() async throws {
        let run = try prepared()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Patient", "--output", "@p.csv")
        #expect(result.code == 0 && result.output.isEmpty)
        #expect(result.messages == "exported 2 = Patient 2\n")
        #expect(try run.text("p.csv") == "$id,age,name,injury\nPatient/p1,44,Ann,Fracture\nPatient/p2,,Bob,\n")
    }

    @Test(
        "The format of standard output follows from the objects",
        arguments: [
            (["--entity", "Injury"], "csv"), ([], "json"), (["--entity", "Injury", "--entity", "Patient"], "json"),
            (["--entity", "Injury", "--nested", "patients"], "json"), (["--for", "excel-de"], "csv"),
            (["--format", "tsv"], "tsv"),
        ])
    func standardOutput(_ words: [String], _ format: String) throws {
        let command = try ExportCommand.parse(["Seed.sqlite", "--output", "-"] + words)
        #expect(command.chosenFormat?.rawValue == format)
    }

    @Test(
        "Objects of several subentities on standard output are a document, unless an option is for tables",
        arguments: [
            (["--entity", "Injury"], "csv"), (["--entity", "Burn"], "json"),
            (["--entity", "Burn", "--null", "-"], "csv"),
            (["--entity", "Burn", "--subentities"], "csv"), (["--entity", "Burn", "--format", "csv"], "csv"),
        ])
    func subentitiesOnStandardOutput(_ words: [String], _ format: String) throws {
        var model = CommandRun.model
        model.entities += [EntityDescription("Burn", []), EntityDescription("Scald", [], superentity: "Burn")]
        let command = try ExportCommand.parse(["Seed.sqlite", "--output", "-"] + words)
        #expect(try command.chosenFormat(in: model.resolved())?.rawValue == format)
    }

    @Test("Records without an entity are of the entity that their $id names")
    func identifiedEntity() async throws {
        let run = try prepared()
        let export = await run.run(
            "export", "@Seed.sqlite", "--entity", "Patient", "--nested", "injury", "--output", "@all.json")
        #expect(export.code == 0, "\(export.messages)")
        let imported = await run.run("import", "@all.json", "--model", "@Model.json", "--store", "@Copy.sqlite")
        #expect(imported.code == 0, "\(imported.messages)")
        let diff = await run.run("store", "diff", "@Copy.sqlite", "@all.json")
        #expect(diff.code == 0 && diff.output.hasPrefix("entity   same"), "\(diff.messages)\(diff.output)")
        _ = try run.folder.write(#"[{"$id":"Patent/p1","name":"Eve"}]"#, to: "all.json")
        let unknown = await run.run("import", "@all.json", "--model", "@Model.json", "--store", "@Other.sqlite")
        #expect(unknown.code == 65 && unknown.messages.contains("which entity are these rows?"), "\(unknown.messages)")
    }

    @Test("An exported folder is imported by its name")
    func folder() async throws {
        let run = try prepared()
        let export = await run.run(
            "export", "@Seed.sqlite", "--model", "@Model.json", "--format", "csv", "--output", "@out/")
        #expect(export.code == 0, "\(export.messages)")
        let imported = await run.run("import", "@out/", "--model", "@Model.json", "--store", "@Copy.sqlite")
        #expect(imported.code == 0, "\(imported.messages)")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@Copy.sqlite", "--model", "@Model.json")
        #expect(diff.code == 0, "\(diff.messages)\(diff.output)")
        // A file that would be left out is a mistake.
        _ = try run.folder.write("x", to: "out/notes.txt")
        let refused = await run.run("import", "@out/", "--model", "@Model.json", "--store", "@Other.sqlite")
        #expect(refused.code == 64 && refused.messages.contains("name the files to import"), "\(refused.messages)")
        #expect(!run.exists("Other.sqlite"))
    }

    @Test("A table without some columns or a key is compared with a warning")
    func partialTables() async throws {
        let run = try prepared()
        _ = try run.folder.write("name,age\nBob,\nAnn,44\n", to: "p.csv")
        let words = ["store", "diff", "@Seed.sqlite", "@p.csv", "--model", "@Model.json", "--entity", "Patient"]
        let byRow = await run.run(words)
        #expect(byRow.messages.contains("rows are paired by their number"), "\(byRow.messages)")
        #expect(byRow.messages.contains("--key Patient=ATTRIBUTE"))
        let byKey = await run.run(words + ["--key", "name"])
        #expect(!byKey.messages.contains("paired by their number"), "\(byKey.messages)")
        _ = try run.folder.write("name\nBob\nAnn\n", to: "p.csv")
        let partial = await run.run(words + ["--key", "name"])
        #expect(
            partial.messages.contains("p.csv has no columns for age, injury; they are not compared"),
            "\(partial.messages)")
        #expect(partial.code == 0 && partial.output.hasSuffix("equal\n"), "\(partial.output)")
        // A required column can be missing too, and members of JSON are columns.
        _ = try run.folder.write("$id,age\nPatient/p1,45\nPatient/p2,\n", to: "p.csv")
        _ = try run.folder.write(#"[{"$id":"Patient/p1","age":45},{"$id":"Patient/p2"}]"#, to: "p.json")
        for file in ["@p.csv", "@p.json"] {
            let narrow = await run.run(
                "store", "diff", "@Seed.sqlite", file, "--model", "@Model.json", "--entity", "Patient")
            #expect(narrow.code == 1 && narrow.output.contains("age: 44 -> 45"), "\(narrow.output) \(narrow.messages)")
            #expect(narrow.output.contains("different: 1 object"), "\(narrow.output)")
            #expect(narrow.messages.contains("has no columns for name, injury; they are not compared"))
        }
        let unnamed = await run.run("store", "diff", "@p.csv", "@p.csv", "--entity", "Patient")
        #expect(unnamed.code == 64 && unnamed.messages.contains("help: --model MODEL"), "\(unnamed.messages)")
    }

    @Test("The store can be the argument, and a named form is that of CSV")
    func argument() async throws {
        let run = try prepared()
        let more = ["--model", "@Model.json", "--entity", "Patient"]
        #expect(await run.run(["export", "@Seed.sqlite", "--output", "@p.csv"] + more).code == 0)
        let folder = await run.run(["export", "@Seed.sqlite", "--for", "excel-de", "--output", "@out/"] + more)
        #expect(folder.code == 0 && run.exists("out/Patient.csv"), "\(folder.messages)")
        let both = await run.run(["export", "@Seed.sqlite", "--store", "@Seed.sqlite", "--output", "@q.csv"] + more)
        #expect(both.code == 64 && both.messages.contains("the store is given twice"))
        let excel = await run.run(["export", "@Seed.sqlite", "--output", "@q.xlsx"] + more)
        #expect(excel.code == 64 && excel.messages.contains("for Excel: --for excel-us --output"), "\(excel.messages)")
        #expect(excel.messages.contains("q.csv"))
    }

    @Test(arguments: ["csv"]) func severalToAFolder(format: String) async throws {
        let run = try prepared()
        let words = [
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--format", format, "--output", "@out/",
        ]
        func export(_ more: String...) async -> CommandRun.Result { await run.run(words + more) }
        let result = await export()
        #expect(result.code == 0 && result.messages == "exported 4 = Injury 2 + Patient 2\n")
        let expected = [
            "csv": "key,name\n0,Burn\n1,Fracture\n", "tsv": "key\tname\n0\tBurn\n1\tFracture\n",
            "ndjson":
                "{\"$id\":\"Injury/p1\",\"key\":0,\"name\":\"Burn\"}\n{\"$id\":\"Injury/p2\",\"key\":1,\"name\":\"Fracture\"}\n",
        ]
        #expect(try run.text("out/Injury.\(format)") == expected[format])
        #expect(run.exists("out/Patient.\(format)"))
        #expect(await export().code == 73)
        #expect(await export("--force").code == 0)
        _ = try run.folder.write("mine", to: "out/other.txt")
        #expect(await export("--force").code == 73)
        #expect(try run.text("out/other.txt") == "mine")
        #expect(try run.names == ["Model.json", "Seed.sqlite", "out"])
    }

    @Test(arguments: ["csv"]) func aFolderComesBackWithoutOptions(format: String) async throws {
        let run = try prepared()
        let export = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--format", format, "--reference", "id",
            "--output", "@out/")
        #expect(export.code == 0, "\(export.messages)")
        // What a pattern such as out/* gives: the sidecar is no data.
        let files = ["@out/Injury.\(format)", "@out/Patient.\(format)", "@out/granary.json"]
        let result = await run.run(["import"] + files + ["--model", "@Model.json", "--store", "@New.sqlite"])
        #expect(result.code == 0 && result.ledger.hasPrefix("read 4 = created 4 "), "\(result.messages)")
        // A sidecar that does not fit the model is refused.
        let text = try run.text("out/granary.json").replacing("\"Injury\"", with: "\"Injry\"")
        _ = try run.folder.write(text, to: "out/granary.json")
        let wrong = await run.run(
            "import", files[0], "--model", "@Model.json", "--store", "@Other.sqlite")
        #expect(wrong.code == 65 || wrong.code == 64, "\(wrong.messages)")
        #expect(!run.exists("Other.sqlite"))
    }

    @Test func compressedAndForSpreadsheets() async throws {
        let run = try prepared()
        try run.execute("UPDATE ZPATIENT SET ZNAME = '=1+1' WHERE Z_PK = 2")
        let export = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Patient", "--spreadsheet",
            "--columns", "name,age", "--output", "@p.csv.gz")
        #expect(export.code == 0, "\(export.messages)")
        #expect(try run.names == ["Model.json", "Seed.sqlite", "p.csv.gz", "p.csv.gz.granary.json"])
        let result = await run.run(
            "import", "@p.csv.gz", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Patient")
        #expect(result.code == 0, "\(result.messages)")
        let out = await run.run(
            "export", "--store", "@New.sqlite", "--model", "@Model.json", "--entity", "Patient", "--columns",
            "name,age", "--output", "@again.csv")
        #expect(out.code == 0, "\(out.messages)")
        #expect(try run.text("again.csv") == "name,age\nAnn,44\n=1+1,\n")
    }

    @Test func documents() async throws {
        let run = try prepared()
        let all = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@all.json")
        #expect(all.code == 0)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(try run.text("all.json").utf8)) as? [String: Any])
        #expect(Set(document.keys) == ["entities", "model"])
        #expect((document["entities"] as? [String: [Any]])?.mapValues(\.count) == ["Injury": 2, "Patient": 2])

        let one = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Injury", "--output", "@one.json"
        )
        #expect(one.code == 0)
        #expect(
            try run.text("one.json") == """
                [
                {"$id":"Injury/p1","key":0,"name":"Burn"},
                {"$id":"Injury/p2","key":1,"name":"Fracture"}
                ]

                """)
        for encoding in ["xml", "binary"] {
            let result = await run.run(
                "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@\(encoding).plist",
                "--plist-encoding", encoding)
            #expect(result.code == 0)
            let data = try Data(contentsOf: run.folder.url.appending(path: "\(encoding).plist"))
            #expect(data.starts(with: Data("bplist".utf8)) == (encoding == "binary"))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            #expect((list?["entities"] as? [String: [Any]])?.mapValues(\.count) == ["Injury": 2, "Patient": 2])
        }
    }

    @Test func optionsReachTheWriter() async throws {
        let run = try prepared()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Patient", "--format", "csv",
            "--output", "@p", "--columns", "age,injury,$id", "--null", "NULL", "--reference", "id")
        #expect(result.code == 0)
        #expect(try run.text("p") == "age,injury,$id\n44,Injury/p2,Patient/p1\nNULL,NULL,Patient/p2\n")
    }

    @Test(arguments: [
        (["--where", "age > 40"], "Ann\n"), (["--where", "age == nil"], "Bob\n"),
        (["--where", "injury.name BEGINSWITH 'Fr'"], "Ann\n"), (["--sort", "name:desc"], "Bob\nAnn\n"),
        (["--sort", "age"], "Bob\nAnn\n"), (["--sort", "age:asc", "--limit", "1"], "Bob\n"),
        (["--offset", "1"], "Bob\n"), (["--limit", "0"], ""), (["--where", "age > 99", "--limit", "5"], ""),
    ])
    func selections(_ words: [String], _ rows: String) async throws {
        let run = try prepared()
        let result = await run.run(
            [
                "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Patient", "--columns",
                "name", "--output", "@p.csv",
            ] + words)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.text("p.csv") == "name\n" + rows)
        #expect(result.messages.hasPrefix("exported \(rows.split(separator: "\n").count) = Patient "))
    }

    @Test func keyPathColumns() async throws {
        let run = try prepared()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Injury", "--columns",
            "name,patients.@count,patients.name,patients,$entity", "--output", "@i.csv")
        #expect(result.code == 0, "\(result.messages)")
        #expect(
            try run.text("i.csv") == """
                name,patients.@count,patients.name,patients,$entity
                Burn,0,,,Injury
                Fracture,1,Ann,Patient/p1,Injury

                """)
    }

    @Test(arguments: [
        ("age > ", "predicate, column "), ("agee > 60", "did you mean \"age\"?\n  agee > 60\n  ^\n"),
        ("name > 60", "\n  name > 60\n  ^\n"),
        ("age > 1 AND nme == 'x'", "\n  age > 1 AND nme == 'x'\n              ^\n"),
    ])
    func wrongPredicates(_ text: String, _ message: String) async throws {
        let run = try prepared()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Patient", "--where", text,
            "--output", "@p.csv")
        #expect(result.code == 64)
        #expect(
            result.messages.hasPrefix("granary: error: ") && result.messages.contains(message), "\(result.messages)")
        #expect(try run.names == ["Model.json", "Seed.sqlite"])
    }

    @Test func terms() async throws {
        let run = try prepared()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Injury", "--format", "terms",
            "--delimiter", "%", "--attribute", "name", "--ordinal", "key", "--output", "@i.terms")
        #expect(result.code == 0)
        #expect(try run.text("i.terms") == "Burn%Fracture\n")
        try run.execute("UPDATE ZINJURY SET ZKEY = 5 WHERE Z_PK = 2")
        let gap = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Injury", "--format", "terms",
            "--delimiter", "%", "--attribute", "name", "--ordinal", "key", "--output", "@j.terms")
        #expect(gap.code == 65 && gap.messages.contains("the ordinals jump from 0 to 5"))
        #expect(!run.exists("j.terms"))
    }

    @Test(arguments: [
        ["--output", "@x"],
        ["--format", "csv", "--output", "@Seed.sqlite", "--force"],
    ])
    func usage(words: [String]) async throws {
        let run = try prepared()
        let before = try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite"))
        let result = await run.run(["export", "--store", "@Seed.sqlite", "--model", "@Model.json"] + words)
        #expect(result.code == 64, "\(result.messages)")
        #expect(result.messages.hasPrefix("granary: error: "))
        #expect(try run.names == ["Model.json", "Seed.sqlite"])
        #expect(try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite")) == before)
    }

    @Test func badInputs() async throws {
        let run = try prepared()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("Other", [])]), to: "Other.json")
        #expect(await run.run("export", "--store", "@nix", "--model", "@Model.json", "--output", "@x.json").code == 66)
        #expect(await run.run("export", "--store", "@Seed.sqlite", "--model", "@nix", "--output", "@x.json").code == 66)
        let other = await run.run("export", "--store", "@Seed.sqlite", "--model", "@Other.json", "--output", "@x.json")
        #expect(other.code == 65 && other.messages.contains("[store.mismatch]"))
        #expect(await run.run("export", "--store", "@nix", "--output", "@x.json").code == 66)
        #expect(
            await run.run("export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@no/x.json").code
                == 73)
        _ = try run.folder.write("old", to: "old.json")
        #expect(
            await run.run("export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@old.json").code
                == 73)
        #expect(try run.text("old.json") == "old")
        let forced = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@old.json", "--force")
        #expect(forced.code == 0)
        try run.execute("UPDATE ZPATIENT SET ZAGE = 'x' WHERE Z_PK = 2")
        let corrupt = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@y.json")
        #expect(corrupt.code == 65)
        #expect(
            corrupt.messages
                == "granary: error: Patient.age: Patient/p2: text is not an Integer 16 [store.corrupt]\n")
        #expect(!run.exists("y.json"))
    }
}

struct ExportCommandLongTests {
    @Test(arguments: ["tsv", "ndjson"]) func severalToAFolder(format: String) async throws {
        try await ExportCommandTests().severalToAFolder(format: format)
    }

    @Test(arguments: ["json", "plist"]) func aFolderComesBackWithoutOptions(format: String) async throws {
        try await ExportCommandTests().aFolderComesBackWithoutOptions(format: format)
    }

    @Test(arguments: [
        ["--format", "csv", "--output", "-"],
        ["--format", "csv", "--output", "@x"],
        ["--format", "json", "--blobs", "files", "--output", "-"],
        ["--format", "json", "--non-finite", "zero", "--output", "@x"],
        ["--format", "json", "--null", "x", "--output", "@x"],
        ["--format", "csv", "--plist-encoding", "xml", "--output", "@x"],
        ["--format", "plist", "--dates", "seconds", "--output", "@x"],
        ["--format", "terms", "--output", "@x"],
        ["--format", "csv", "--attribute", "name", "--output", "@x"],
        ["--format", "csv", "--columns", "a,,b", "--output", "@x"],
        ["--format", "json", "--columns", "nix", "--output", "@x"],
        ["--format", "json", "--limit", "1", "--output", "@x"],
        ["--format", "json", "--entity", "Patient", "--entity", "Injury", "--sort", "name", "--output", "@x"],
        ["--format", "json", "--entity", "Patient", "--sort", "name:down", "--output", "@x"],
        ["--format", "json", "--entity", "Patient", "--sort", "nix", "--output", "@x"],
        ["--format", "xml", "--output", "@x"],
        ["--output", "@x/"],
        ["--format", "json", "--spreadsheet", "--output", "@x"],
        ["--format", "json", "--entity", "Nix", "--output", "@x"],
        ["--format", "json", "--where", "age > 1", "--output", "@x"],
        ["--format", "json", "--entity", "Patient", "--columns", "injury.nix", "--output", "@x"],
    ])
    func usage(words: [String]) async throws { try await ExportCommandTests().usage(words: words) }
}
