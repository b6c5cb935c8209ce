import Foundation
import GranaryModel
import GranaryModelFiles
import GranarySQLite
import TestSupport
import Testing

/// `granary query` and `granary export --where` by the binary, on the sample Triage.
@Suite struct QueryTests {
    private let folder: TemporaryFolder
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func seed() throws {
        let run = try Granary.run(
            ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=" + path("Seed.sqlite")])
        #expect(run.status == 0, "\(run.errors)")
    }

    private func query(_ words: [String], script: String? = nil) throws -> Granary {
        try Granary.run(["query", path("Seed.sqlite"), "--model", model] + words, script: script)
    }

    @Test("Queries and their answers")
    func answers() throws {
        try seed()
        let old = "Patient WHERE age > 60 AND injury.name == 'Burn'"
        let cases: [([String], String)] = [
            (["Patient WHERE age > 60", "--count"], "111\n"), (["Patient where injury == nil", "--count"], "5\n"),
            (["Patient WHERE age == nil", "--count"], "36\n"),
            (["Patient", "--count", "--limit", "10", "--offset", "295"], "5\n"),
            (
                [old, "--columns", "name,age", "--sort", "age:desc", "--limit", "3"],
                "name,age\nLéa Johansson,95\nNiamh Lefèvre,94\nSøren Weiß,93\n"
            ),
            // Equal keys: by primary key, the order of the file.
            (
                ["Patient WHERE age == 100", "--columns", "name", "--sort", "age"],
                "name\nMaya Lefèvre\nNiamh O'Brien\nDaniel Bauer\n"
            ),
            (
                ["Injury", "--columns", "name,patients.@count", "--sort", "patients.@count:desc", "--limit", "2"],
                "name,patients.@count\nPenetration,44\nCrushing,41\n"
            ),
            (
                [
                    "Patient WHERE name == 'Léa Johansson' AND age == 95", "--columns", "injury.name,injury.key",
                    "--format", "tsv",
                ],
                "injury.name\tinjury.key\nBurn\t1\n"
            ),
            (
                ["Injury WHERE key < 2", "--columns", "key,name", "--format", "ndjson"],
                "{\"key\":0,\"name\":\"Blunt Trauma\"}\n{\"key\":1,\"name\":\"Burn\"}\n"
            ),
            (
                [
                    "Patient WHERE age > 99", "--columns", "age,emailid", "--null", "NULL", "--offset", "1", "--limit",
                    "1",
                ],
                "age,emailid\n"
            ),
        ]
        for (words, output) in cases {
            let run = try query(words)
            #expect(run.status == 0, "\(words): \(run.errors)")
            #expect(run.output.hasPrefix(output), "\(words): \(run.output)")
            if !words.contains("--null") { #expect(run.output == output, "\(words)") }
        }
        #expect(try query(["Injury", "--format", "json"]).errors == "8 objects\n")
    }

    @Test("The objects are those of an export", arguments: ["csv"])
    func equalToAnExport(format: String) throws {
        try seed()
        let words = ["--model", model, "--format", format, "--columns", "$id,name,injury,age", "--sort", "age:desc"]
        let query = try Granary.run(["query", path("Seed.sqlite"), "Patient WHERE age > 50"] + words)
        let export = try Granary.run(
            ["export", "--store", path("Seed.sqlite"), "--entity", "Patient", "--where", "age > 50", "--output", "-"]
                + words)
        #expect(query.status == 0 && export.status == 0, "\(query.errors)\(export.errors)")
        #expect(query.output == export.output && !query.output.isEmpty)
    }

    @Test("A closed pipe ends a query without a message")
    func closedPipe() throws {
        try seed()
        let run = try query(
            ["Patient"], script: "\"$0\" \"$@\" | { exec 0<&-; sleep 1; }")
        #expect(!run.errors.contains("error"), "\(run.errors)")
    }

    @Test("A store without a model is queried with an inferred one")
    func inferredModel() throws {
        try seed()
        let connection = try Connection(path: path("Seed.sqlite"), mode: .readWrite)
        try connection.execute("DELETE FROM Z_MODELCACHE")
        try connection.close()
        let run = try Granary.run(
            ["query", path("Seed.sqlite"), "Injury WHERE name BEGINSWITH 'B'", "--columns", "name", "--sort", "name"])
        #expect(run.status == 0 && run.output == "name\nBlunt Trauma\nBurn\n", "\(run.output)\(run.errors)")
        #expect(run.errors.contains("the model is inferred") && run.errors.hasSuffix("2 objects\n"))
    }

    /// Rows of subentities are in one table, with the names of their entities.
    func subentities() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Person", [.attribute("name", .string)], isAbstract: true),
            EntityDescription("Employee", [.attribute("salary", .decimal)], superentity: "Person"),
            EntityDescription("Customer", [], superentity: "Person"),
        ])
        try model.write(to: folder.url.appending(path: "Model.json"))
        for (entity, names) in [("Employee", "Cy\nAnn\n"), ("Customer", "Bob\n")] {
            let file = try folder.write("name\n" + names, to: entity + ".csv")
            let run = try Granary.run([
                "import", file.path, "--model", path("Model.json"), "--store", path("S.sqlite"), "--entity", entity,
            ])
            #expect(run.status == 0, "\(run.errors)")
        }
        func people(_ words: String...) throws -> String {
            let run = try Granary.run(
                ["query", path("S.sqlite"), "--model", path("Model.json"), "Person WHERE name != 'x'"] + words)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        #expect(
            try people("--columns", "$entity,name", "--sort", "name")
                == "$entity,name\nEmployee,Ann\nCustomer,Bob\nEmployee,Cy\n")
        #expect(try people().hasPrefix("$id,$entity,name\n"))
        #expect(try people("--count") == "3\n")
        let sorted = try Granary.run([
            "export", "--store", path("S.sqlite"), "--model", path("Model.json"), "--entity", "Person", "--sort",
            "name",
            "--output", path("x.json"),
        ])
        #expect(sorted.status == 64 && sorted.errors.contains("exported as 2 tables"), "\(sorted.errors)")
    }

    @Test(
        "A selection imports again as a subset",
        arguments: [
            "csv"
        ])
    func subsets(format: String) throws {
        try seed()
        let terms = format == "terms" ? ["--delimiter", "%", "--attribute", "name", "--ordinal", "key"] : []
        let file = path("out." + format)
        let export = try Granary.run(
            [
                "export", "--store", path("Seed.sqlite"), "--model", model, "--entity", "Injury", "--where", "key < 3",
                "--output", file,
            ] + terms)
        #expect(export.status == 0 && export.ledger == "exported 3 = Injury 3", "\(export.errors)")
        let again = try Granary.run(
            ["import", file, "--model", model, "--store", path("New.sqlite"), "--entity", "Injury"] + terms)
        #expect(again.status == 0 && again.ledger.hasPrefix("read 3 = created 3 "), "\(again.errors)")
        let names = try Granary.run([
            "query", path("New.sqlite"), "--model", model, "Injury", "--columns", "key,name", "--sort", "key",
        ])
        #expect(names.output == "key,name\n0,Blunt Trauma\n1,Burn\n2,C-Spine\n", "\(names.errors)")
    }
}

@Suite struct QueryLongTests {
    @Test("The objects are those of an export", arguments: ["json", "ndjson"])
    func equalToAnExport(format: String) throws { try QueryTests().equalToAnExport(format: format) }

    @Test(
        "A selection imports again as a subset",
        arguments: [
            "tsv",
            "json",
            "ndjson",
            "plist",
            "terms",
        ])
    func subsets(format: String) throws { try QueryTests().subsets(format: format) }

    @Test("Rows of subentities are in one table, with the names of their entities")
    func subentities() throws {
        try QueryTests().subentities()
    }
}
