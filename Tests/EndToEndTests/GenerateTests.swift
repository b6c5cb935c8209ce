import Foundation
import TestSupport
import Testing

/// `granary generate` by the binary, on the sample Triage.
@Suite struct GenerateTests {
    private let folder: TemporaryFolder
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func generate(_ name: String, _ words: String...) throws -> Granary {
        try Granary.run(
            [
                "generate", "--model", model, "--store", path(name), "--count", "Injury=8", "--count", "Responder=40",
                "--count", "Patient=1000", "--random-seed", "7",
            ] + words)
    }

    @Test("The same command gives the same file, and a sound store")
    func sameFile() throws {
        for name in ["A.sqlite", "B.sqlite"] {
            let run = try generate(
                name, "--ship", "--no-ledger", "--store-uuid", "00000000-0000-4000-8000-000000000001")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.ledger.hasPrefix("generated 1048 objects: "), "\(run.errors)")
        }
        #expect(
            try Data(contentsOf: URL(filePath: path("A.sqlite"))) == Data(contentsOf: URL(filePath: path("B.sqlite"))))
        let check = try Granary.run(["store", "check", path("A.sqlite"), "--model", model])
        #expect(check.status == 0, "\(check.errors)")
        let count = try Granary.run(["query", path("A.sqlite"), "Patient", "--model", model, "--count"])
        #expect(count.output == "1000\n")
    }

    /// An export of generated objects imports again.
    func export() throws {
        #expect(try generate("A.sqlite").status == 0)
        let export = try Granary.run(
            ["export", "--store", path("A.sqlite"), "--format", "json", "--output", path("all.json")])
        #expect(export.status == 0, "\(export.errors)")
        let again = try Granary.run(["import", path("all.json"), "--model", model, "--store", path("C.sqlite")])
        #expect(again.status == 0 && again.ledger.hasPrefix("read 1048 = created 1048 "), "\(again.errors)")
        let diff = try Granary.run(["store", "diff", path("A.sqlite"), path("C.sqlite")])
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
    }

    @Test("Values at the edges of the model: a sound store, whose export imports again")
    func edgeCases() throws {
        let plain = try generate("A.sqlite")
        let edges = try generate("E.sqlite", "--edge-cases")
        #expect(plain.status == 0 && edges.status == 0, "\(edges.errors)")
        #expect(edges.ledger.hasPrefix("generated 1048 objects: "), "\(edges.errors)")
        let check = try Granary.run(["store", "check", path("E.sqlite"), "--model", model])
        #expect(check.status == 0, "\(check.errors)")
        for (name, isEdge) in [("A.sqlite", false), ("E.sqlite", true)] {
            let empty = try Granary.run([
                "query", path(name), "Patient WHERE name == '' OR name CONTAINS '\u{05E9}'", "--count",
            ])
            #expect((empty.output != "0\n") == isEdge && empty.status == 0, "\(empty.output)\(empty.errors)")
        }
        let export = try Granary.run(
            ["export", "--store", path("E.sqlite"), "--format", "json", "--output", path("edges.json")])
        #expect(export.status == 0, "\(export.errors)")
        let again = try Granary.run(["import", path("edges.json"), "--model", model, "--store", path("F.sqlite")])
        #expect(again.status == 0, "\(again.errors)")
        let diff = try Granary.run(["store", "diff", path("E.sqlite"), path("F.sqlite")])
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
        let generator = try generate("G.sqlite", "--edge-cases", "--generator", "Patient.name=one of Ann")
        #expect(generator.status == 0, "\(generator.errors)")
        let others = try Granary.run(["query", path("G.sqlite"), "Patient WHERE name != 'Ann'", "--count"])
        #expect(others.output == "0\n", "\(others.errors)")
    }

    @Test("A file for an existing store of another kind, and a missing model")
    func mistakes() throws {
        let missing = try Granary.run(["generate", "--store", path("N.sqlite"), "--count", "Patient=1"])
        #expect(missing.status == 64 && missing.errors.contains("model"), "\(missing.errors)")
        let text = try folder.write("not a store", to: "x.sqlite")
        let wrong = try Granary.run(["generate", "--store", text.path, "--count", "Patient=1", "--model", model])
        #expect(wrong.status == 65, "\(wrong.errors)")
    }
}
