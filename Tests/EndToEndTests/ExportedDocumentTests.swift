import Foundation
import TestSupport
import Testing

/// Exports of the sample Triage that the binary imports into new stores, without a model.
@Suite struct ExportedDocumentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let run = try Granary.run(["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=" + path("A.sqlite")])
        #expect(run.status == 0, "\(run.errors)")
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func export(_ name: String, _ more: String...) throws {
        let run = try Granary.run(["export", "--store", path("A.sqlite"), "--output", path(name)] + more)
        #expect(run.status == 0, "\(run.errors)")
    }

    private func expectEqual(_ name: String) throws {
        let diff = try Granary.run(["store", "diff", path("A.sqlite"), path(name)])
        #expect(diff.status == 0 && diff.output.hasSuffix("\nequal\n"), "\(diff.output)\(diff.errors)")
    }

    @Test(arguments: ["seed.json.gz"])
    func `A new store gets the model of the document`(_ name: String) throws {
        try export(name)
        let run = try Granary.run(["import", path(name), "--store", path("B.sqlite")])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.ledger == "read 348 = created 348 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        try expectEqual("B.sqlite")
    }

    /// The model follows the records, so standard input is read twice.
    func `Standard input contains the model too`() throws {
        try export("seed.json")
        let text = try String(contentsOfFile: path("seed.json"), encoding: .utf8)
        let run = try Granary.run(
            ["import", "-", "--format", "json", "--store", path("B.sqlite"), "--as-is"], input: text)
        #expect(run.status == 0, "\(run.errors)")
        try expectEqual("B.sqlite")
    }

    /// Nested objects are imported again.
    func `Objects in objects are imported again`(_ options: [String]) throws {
        let run = try Granary.run(
            ["export", "--store", path("A.sqlite"), "--output", path("nested.json")] + options)
        #expect(run.status == 0 && run.ledger.hasPrefix("exported 348 = "), "\(run.errors)")
        #expect(run.ledger.contains(" + nested "), "\(run.errors)")
        let again = try Granary.run(["import", path("nested.json"), "--store", path("B.sqlite")])
        #expect(again.status == 0, "\(again.errors)")
        try expectEqual("B.sqlite")
        try expectEqual("nested.json")
    }

    func `A file of one entity is compared with that entity`() throws {
        try export("patients.csv", "--entity", "Patient")
        let diff = try Granary.run(["store", "diff", path("A.sqlite"), path("patients.csv"), "--entity", "Patient"])
        #expect(diff.status == 0 && diff.output.hasSuffix("\nequal\n"), "\(diff.output)\(diff.errors)")
        #expect(!diff.output.contains("Injury"))
    }
}

@Suite struct ExportedDocumentLongTests {
    @Test(arguments: ["seed.json", "seed.plist"])
    func `A new store gets the model of the document`(_ name: String) throws {
        try ExportedDocumentTests().`A new store gets the model of the document`(name)
    }

    @Test(arguments: [["--nested", "injury"], ["--nested", "Injury.patients", "--nested", "responder"]])
    func `Objects in objects are imported again`(_ options: [String]) throws {
        try ExportedDocumentTests().`Objects in objects are imported again`(options)
    }

    @Test func `Standard input contains the model too`() throws {
        try ExportedDocumentTests().`Standard input contains the model too`()
    }

    @Test func `A file of one entity is compared with that entity`() throws {
        try ExportedDocumentTests().`A file of one entity is compared with that entity`()
    }
}
