import Foundation
import GranaryModel
import TestSupport
import Testing

/// `--on-missing` and `--links`: references to nothing, and files that are nothing but links.
@Suite struct ImportReferenceTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private let patients = "name,injury\nCid,Cut\nDee,Burn\n"

    // MARK: --on-missing

    @Test(
        arguments: [[], ["--on-missing", "null", "--on-missing", "injury=error"]] as [[String]])
    func aReferenceToNoObjectIsRejected(_ options: [String]) async throws {
        let before = try bench.bytes()
        let result = try await bench.run(patients, "Patient", options)
        #expect(result.code == 65)
        #expect(
            result.messages.hasPrefix(
                "\(bench.runs.path("in.csv")):2:5: error: Patient.injury: there is no Injury with the key \"Cut\""),
            "\(result.messages)")
        #expect(result.lines.first?.hasSuffix(" [relationship.notFound]") == true)
        #expect(result.ledger == ImportBench.ledger(2, skipped: 1, rejected: 1))
        #expect(try bench.bytes() == before)
    }

    @Test(arguments: [["--on-missing", "injury=null"]])
    func aReferenceToNothingIsLeftOut(_ options: [String]) async throws {
        let dry = try await bench.run(patients, "Patient", options + ["--dry-run"])
        #expect(dry.messages.contains("\n1 reference left out (Patient.injury)\n"), "\(dry.messages)")
        let result = try await bench.run(patients, "Patient", options + ["--report", "@report.json"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(
            result.messages == "1 reference left out (Patient.injury)\n" + ImportBench.ledger(2, created: 2) + "\n")
        let omitted = try #require(try bench.report["omittedReferences"] as? [[String: Any]])
        #expect(omitted.count == 1 && omitted[0]["count"] as? Int == 1)
        #expect(omitted[0]["entity"] as? String == "Patient" && omitted[0]["property"] as? String == "injury")
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,,", "Cid,,", "Dee,,Burn"])
    }

    /// What is required and has no default cannot be made up.
    @Test func whatCannotBeCreatedIsRejected() async throws {
        let result = try await bench.run(patients, "Patient", ["--on-missing", "create"])
        #expect(result.code == 65)
        #expect(
            result.messages.contains("there is no Injury with the key \"Cut\", and none can be created: key: "),
            "\(result.messages)")
    }

    @Test(arguments: [["--on-missing", "error", "--on-missing", "injury=create"]])
    func aReferenceToNothingMakesItsObject(_ options: [String]) async throws {
        let runs = bench.runs
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Injury",
                [
                    .attribute("key", .integer16, .required, .defaultValue(7)),
                    .attribute("name", .string, .required, .length(1...20)),
                    .toMany("patients", "Patient", inverse: "injury"),
                ], unique: [["name"]]),
            EntityDescription(
                "Patient", [.attribute("name", .string, .required), .toOne("injury", "Injury", inverse: "patients")]),
        ])
        try FileManager.default.removeItem(atPath: runs.path("Model.json"))
        try runs.writeModel(model)
        _ = try runs.folder.write("name,injury\nCid,Cut\nDee,Burn\nEve,Cut\n", to: "in.csv")
        let arguments =
            ["import", "@in.csv", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Patient"] + options
        let tried = await runs.run(arguments + ["--dry-run"])
        #expect(
            tried.lines.first == "dry run: 3 new, 0 changed, 0 deleted, 0 rejected, 2 created on demand",
            "\(tried.messages)")
        let result = await runs.run(arguments + ["--report", "@report.json"])
        #expect(result.code == 0)
        #expect(result.lines == ["created 2 missing Injury", ImportBench.ledger(3, created: 3)])
        #expect(try bench.rows("Injury", "key,name", in: "New.sqlite") == ["7,Cut", "7,Burn"])
        #expect(
            try bench.rows("Patient", "name,injury", in: "New.sqlite") == ["Cid,Cut", "Dee,Burn", "Eve,Cut"])
        #expect(try bench.report["madeByLookup"] as? Int == 2)
        // A key that breaks a rule makes nothing.
        _ = try runs.folder.write("name,injury\nFay,Twenty-one characters\n", to: "in.csv")
        let long = await runs.run(arguments)
        #expect(long.code == 65)
        #expect(long.messages.contains("and none can be created: name: "), "\(long.messages)")
    }

    // MARK: --links

    private let linking = ["--links", "patients", "--lookup", "patients=name"]

    @Test func aLinkFileAddsLinks() async throws {
        let links = "name,patients\nBurn,Bob\nFracture,Ann\n"
        let result = try await bench.run(links, "Injury", linking)
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.messages == ImportBench.ledger(2, updated: 1, unchanged: 1) + "\n")
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,,Burn"])
        let before = try bench.bytes()
        let again = try await bench.run(links, "Injury", linking)
        #expect(again.ledger == ImportBench.ledger(2, unchanged: 2))
        #expect(try bench.bytes() == before)
    }

    /// Core Data would move Ann without a word.
    func whoIsTakenIsNotMoved() async throws {
        let before = try bench.bytes()
        let result = try await bench.run("name,patients\nBurn,Bob\nBurn,Ann\n", "Injury", linking)
        #expect(result.code == 65)
        #expect(result.messages.contains("in.csv:3:6: error: Injury.patients: "), "\(result.messages)")
        #expect(result.messages.contains("[relationship.taken]"), "\(result.messages)")
        let twice = try await bench.run("name,patients\nBurn,Bob\nFracture,Bob\n", "Injury", linking)
        #expect(twice.code == 65)
        #expect(twice.messages.contains("in.csv:3:10: error: Injury.patients: "), "\(twice.messages)")
        #expect(twice.messages.contains("already taken by \(bench.runs.path("in.csv")):2"), "\(twice.messages)")
        #expect(try bench.bytes() == before)
    }

    @Test(arguments: [
        ("name,patients\nBurn,Cid\n", "[relationship.notFound]"),
        ("name\nBurn\n", "[header.missing]"),
    ])
    func anInvalidLinkIsRejected(_ csv: String, _ code: String) async throws {
        let before = try bench.bytes()
        let result = try await bench.run(csv, "Injury", linking)
        #expect(result.code == 65 && result.messages.contains(code), "\(result.messages)")
        #expect(try bench.bytes() == before)
    }
}

@Suite struct ImportReferenceLongTests {
    @Test func aReferenceToNoObjectIsRejected() async throws {
        try await ImportReferenceTests().aReferenceToNoObjectIsRejected(["--on-missing", "error"])
    }

    @Test func aReferenceToNothingIsLeftOut() async throws {
        try await ImportReferenceTests().aReferenceToNothingIsLeftOut(["--on-missing", "null"])
    }

    @Test func aReferenceToNothingMakesItsObject() async throws {
        try await ImportReferenceTests().aReferenceToNothingMakesItsObject(["--on-missing", "create"])
    }

    @Test(arguments: [
        ("name,patients\nCut,Bob\n", "[relationship.notFound]"),
        ("patients\nBob\n", "[header.missing]"),
        ("name,key,patients\nBurn,0,Bob\n", "[header.unknown]"),
        ("name,patients\n,Bob\n", "[value.missing]"),
    ])
    func anInvalidLinkIsRejected(_ csv: String, _ code: String) async throws {
        try await ImportReferenceTests().anInvalidLinkIsRejected(csv, code)
    }

    @Test func whoIsTakenIsNotMoved() async throws {
        try await ImportReferenceTests().whoIsTakenIsNotMoved()
    }
}
