import Foundation
import TestSupport
import Testing

/// The main job by the binary: model and files in, a store out, and back.
@Suite struct MainJobTests {
    let model = Samples.url("Triage/Triage.xcdatamodeld").path
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func path(_ name: String) -> String { folder.url.appending(path: name).path }

    func seedInjuries() throws {
        let run = try Granary.run([
            "import", "--model", model, "--store", path("Seed.sqlite"), "--entity", "Injury", "--terms",
            "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration", "--delimiter", "%",
            "--attribute", "name", "--ordinal", "key",
        ])
        #expect(run.status == 0)
        #expect(run.ledger == "read 8 = created 8 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }

    @Test func constantTableAndFilesMakeAStore() throws {
        try seedInjuries()
        let responders = try Granary.run([
            "import", Samples.url("Triage/responders.csv").path, "--model", model, "--store", path("Seed.sqlite"),
            "--entity", "Responder",
        ])
        #expect(responders.status == 0)
        let patients = try Granary.run([
            "import", Samples.url("Triage/patients.csv").path, "--model", model, "--store", path("Seed.sqlite"),
            "--entity", "Patient", "--lookup", "injury=name", "--lookup", "responder=badge",
        ])
        #expect(patients.status == 0)
        #expect(patients.ledger.hasPrefix("read 300 = created 300 "))
        let info = try Granary.run(["store", "info", path("Seed.sqlite"), "--format", "json"])
        let counts = try #require(try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any])
        let entities = try #require(counts["entities"] as? [[String: Any]])
        let byName = Dictionary(entities.map { ($0["name"] as? String ?? "", $0["count"] as? Int ?? -1) }) { $1 }
        #expect(byName["Injury"] == 8)
        #expect(byName["Patient"] == 300)
        let check = try Granary.run(["store", "check", path("Seed.sqlite"), "--model", model])
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test func refusedFileLeavesTheStoreByteForByte() throws {
        try seedInjuries()
        let before = try Data(contentsOf: folder.url.appending(path: "Seed.sqlite"))
        let run = try Granary.run([
            "import", Samples.url("Triage/patients-with-mistakes.csv").path, "--model", model, "--store",
            path("Seed.sqlite"), "--entity", "Patient", "--lookup", "injury=name", "--report", path("report.json"),
        ])
        #expect(run.status == 65)
        #expect(run.errors.contains(":3:43: error: Patient.age: \"abc\" is not an Integer 16"))
        #expect(run.errors.contains("did you mean \"Burn\"?"))
        #expect(try Data(contentsOf: folder.url.appending(path: "Seed.sqlite")) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["Seed.sqlite", "report.json"])
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url.appending(path: "report.json")))
                as? [String: Any])
        #expect(report["read"] as? Int == 20)
        #expect(report["created"] as? Int == 0)
    }

    func refusedImportIntoANewStoreMakesNone() throws {
        let run = try Granary.run([
            "import", Samples.url("Triage/patients-with-mistakes.csv").path, "--model", model, "--store",
            path("New.sqlite"), "--entity", "Patient",
        ])
        #expect(run.status == 65)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    func dryRunKeepsNothing() throws {
        let run = try Granary.run([
            "import", Samples.url("Triage/responders.csv").path, "--model", model, "--store", path("New.sqlite"),
            "--entity", "Responder", "--dry-run",
        ])
        #expect(run.status == 0)
        #expect(run.ledger.hasPrefix("read 40 = created 40 "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: [
        "csv"
    ])
    func exportAndImportAgainGiveAnEqualStore(format: String) throws {
        try seedInjuries()
        let out = path("injuries.\(format)")
        let export = try Granary.run([
            "export", "--store", path("Seed.sqlite"), "--model", model, "--entity", "Injury", "--output", out,
        ])
        #expect(export.status == 0, "\(export.errors)")
        let again = try Granary.run([
            "import", out, "--model", model, "--store", path("Again.sqlite"), "--entity", "Injury",
        ])
        #expect(again.status == 0, "\(again.errors)")
        func document(_ store: String) throws -> String {
            try Granary.run(["export", "--store", path(store), "--model", model, "--format", "json", "--output", "-"])
                .output
        }
        #expect(try document("Again.sqlite") == document("Seed.sqlite"))
    }

    /// One entity a file, and references from file to file.
    /// The store is that of a folder of files in one format.
    func aFolderOfFilesComesBackAsOne(format: String) throws {
        let model = Samples.url("Company/Company.xcdatamodeld").path
        let text = """
            {"entities":{"Department":[{"$id":"Department/p1","name":"Sales"}],
            "Employee":[{"$id":"Employee/p1","firstName":"Ann","lastName":"Berg","employeeNumber":1,"hired":"2020-01-01T00:00:00Z",
            "department":"Department/p1"}]}}
            """
        let file = try folder.write(text, to: "all.json").path
        let first = try Granary.run([
            "import", file, "--model", model, "--store", path("A.sqlite"), "--lookup", "department=$id",
        ])
        #expect(first.status == 0, "\(first.errors)")
        let export = try Granary.run([
            "export", "--store", path("A.sqlite"), "--model", model, "--format", format, "--output", path("out") + "/",
            "--reference", "id",
        ])
        #expect(export.status == 0, "\(export.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: path("out")).map { path("out/" + $0) }
        let second = try Granary.run(
            ["import"] + files.sorted() + ["--model", model, "--store", path("B.sqlite")])
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.ledger == "read 2 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        func document(_ store: String) throws -> String {
            try Granary.run([
                "export", "--store", path(store), "--model", model, "--format", "json", "--output", "-", "--reference",
                "id",
            ]).output
        }
        #expect(try document("A.sqlite") == document("B.sqlite"))
    }

    @Test func standardInputIsAFile() throws {
        let run = try Granary.run(
            ["import", "-", "--format", "csv", "--model", model, "--store", path("S.sqlite"), "--entity", "Injury"],
            input: "key,name\n1,Burn\n")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(
        arguments: [
            (["import", "no-such.csv"], 66), (["import", "."], 66),
            (["import", "no-such.csv", "--entity", "Nobody"], 66),
        ] as [([String], Int32)])
    func exitCodesOfBadInput(arguments: [String], status: Int32) throws {
        var arguments = arguments
        if !arguments.contains("--entity") { arguments += ["--entity", "Injury"] }
        let run = try Granary.run(
            arguments + ["--format", "csv", "--model", model, "--store", path("S.sqlite")], in: folder.url)
        #expect(run.status == status, "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}

@Suite struct MainJobLongTests {
    @Test(arguments: [
        "tsv",
        "ndjson",
        "json",
        "plist",
    ])
    func exportAndImportAgainGiveAnEqualStore(format: String) throws {
        try MainJobTests().exportAndImportAgainGiveAnEqualStore(format: format)
    }

    @Test(arguments: ["csv", "tsv", "ndjson"])
    func aFolderOfFilesComesBackAsOne(format: String) throws {
        try MainJobTests().aFolderOfFilesComesBackAsOne(format: format)
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func realCodesWithTheirParents() throws {
        let job = try MainJobTests()
        let run = try Granary.run([
            "import", SharedFiles.url("data/injuries-icd10cm.csv").path, "--model", job.model, "--store",
            job.path("Codes.sqlite"), "--entity", "Diagnosis", "--lookup", "parent=code",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.ledger == "read 54285 = created 54285 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        // Three codes stand twice in the file, in equal rows.
        #expect(run.errors.contains("several equal Diagnosis objects have the key \"T07\""))
    }

    @Test func dryRunKeepsNothing() throws {
        try MainJobTests().dryRunKeepsNothing()
    }

    @Test func refusedImportIntoANewStoreMakesNone() throws {
        try MainJobTests().refusedImportIntoANewStoreMakesNone()
    }
}
