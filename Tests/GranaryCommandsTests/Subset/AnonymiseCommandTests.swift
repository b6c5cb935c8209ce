import Foundation
import TestSupport
import Testing

/// `granary anonymise`, and `--rules` of `subset`.
@Suite struct AnonymiseCommandTests {
    private let run: CommandRun

    init() async throws {
        run = try CommandRun()
        let seed = await run.run(
            "seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(run.path("Seed.sqlite"))")
        #expect(seed.code == 0)
    }

    @Test func theProposalsAreAFileThatDecidesOnAll() async throws {
        _ = try run.folder.write("", to: "rules.yaml")
        let check = ["anonymise", "--check", "@Seed.sqlite", "--rules", "@rules.yaml"]
        let found = await run.run(check)
        #expect(found.code == 1 && found.output.contains("Patient.name: generate name"), "\(found.output)")
        _ = try run.folder.write(found.output, to: "rules.yaml")
        let decided = await run.run(check)
        #expect(decided.code == 0, "\(decided.messages)\(decided.output)")
        let json = await run.run(check + ["--format", "json"])
        #expect(json.code == 0 && json.output.contains("\"decided\" : 17"), "\(json.output)")
        // The model alone is enough.
        let model = Samples.url("Triage/Triage.xcdatamodeld").path
        #expect(await run.run("anonymise", "--check", model, "--rules", "@rules.yaml").code == 0)
        let subset = await run.run(
            "subset", "@Seed.sqlite", "--from", "Patient", "--rules", "@rules.yaml", "--output", "@T.sqlite")
        #expect(subset.code == 0, "\(subset.messages)")
        let missing = try run.text("rules.yaml").split(separator: "\n").filter { !$0.hasPrefix("Patient.name") }
        _ = try run.folder.write(missing.joined(separator: "\n"), to: "rules.yaml")
        let refused = await run.run(
            "subset", "@Seed.sqlite", "--from", "Patient", "--rules", "@rules.yaml", "--output", "@U.sqlite")
        #expect(refused.code == 65 && refused.messages.contains("Patient.name"), "\(refused.messages)")
        #expect(!FileManager.default.fileExists(atPath: run.path("U.sqlite")))
    }

    @Test func aHashNeedsAKeyFromAFile() async throws {
        try await write(rules: ["Responder.name": "hash"])
        _ = try run.folder.write("0123456789abcdef01\n", to: "key.txt")
        _ = try run.folder.write("short\n", to: "short.txt")
        let words = ["subset", "@Seed.sqlite", "--from", "Patient", "--rules", "@rules.yaml", "--output", "@T.sqlite"]
        let without = await run.run(words)
        #expect(without.code == 64 && without.messages.contains("--key-file"), "\(without.messages)")
        #expect(await run.run(words + ["--key-file", "@short.txt"]).code == 64)
        #expect(await run.run(words + ["--key-file", "@none.txt"]).code == 66)
        #expect(await run.run(words + ["--anonymise", "all-text"]).code == 64)
        let result = await run.run(words + ["--key-file", "@key.txt"])
        #expect(result.code == 0, "\(result.messages)")
        let found = await run.run("query", "@T.sqlite", "Responder WHERE name MATCHES \"[0-9a-f]{32}\"", "--count")
        #expect(found.output == "40\n", "\(found.output)")
    }

    /// The decisions of the proposals, with others for some attributes.
    private func write(rules changed: [String: String]) async throws {
        _ = try run.folder.write("", to: "rules.yaml")
        let proposed = await run.run("anonymise", "--check", "@Seed.sqlite", "--rules", "@rules.yaml")
        let lines = proposed.output.split(separator: "\n").map { line in
            let name = String(line.prefix { $0 != ":" })
            return changed[name].map { "\(name): \"\($0)\"" } ?? String(line)
        }
        _ = try run.folder.write(lines.joined(separator: "\n"), to: "rules.yaml")
    }

    @Test func thePreviewShowsTenObjectsAndWritesNothing() async throws {
        try await write(rules: ["Patient.name": "constant: nobody", "Responder.name": "keep"])
        let before = try FileManager.default.contentsOfDirectory(atPath: run.folder.url.path).sorted()
        let words = ["anonymise", "--preview", "@Seed.sqlite", "--rules", "@rules.yaml"]
        let shown = await run.run(words)
        #expect(shown.code == 0, "\(shown.messages)")
        #expect(shown.output.split(separator: "\n").count { $0.hasPrefix("Patient/p") } == 10)
        #expect(shown.output.contains("-> nobody") && shown.output.contains("(kept)"), "\(shown.output)")
        #expect(await run.run(words).output == shown.output)
        #expect(await run.run(words + ["--random-seed", "7"]).output != shown.output)
        let json = await run.run(words + ["--format", "json"])
        #expect(json.code == 0 && json.output.contains("\"after\" : \"nobody\""), "\(json.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.url.path).sorted() == before)
        #expect(await run.run("anonymise", "--preview", "@Seed.sqlite", "--check", "@Seed.sqlite").code == 64)
        #expect(await run.run("anonymise", "--check", "@Seed.sqlite", "--random-seed", "1").code == 64)
        _ = try run.folder.write("Patient.name: keep", to: "rules.yaml")
        #expect(await run.run(words).code == 65)
    }

    @Test func aPreviewShowsWhatCannotBeDone() async throws {
        try await write(rules: ["Patient.name": "template: {name}"])
        let wrong = await run.run("anonymise", "--preview", "@Seed.sqlite", "--rules", "@rules.yaml")
        #expect(wrong.code == 65, "\(wrong.messages)")
        try await write(rules: ["Patient.age": "noise 100000..200000"])
        let shown = await run.run("anonymise", "--preview", "@Seed.sqlite", "--rules", "@rules.yaml")
        #expect(shown.code == 1 && shown.output.contains("error: "), "\(shown.messages)\(shown.output)")
    }

    @Test func anExportHasTheValuesOfASubset() async throws {
        try await write(rules: ["Patient.name": "generate name", "Responder.name": "hash"])
        _ = try run.folder.write("0123456789abcdef01\n", to: "key.txt")
        let decided = ["--key-file", "@key.txt"]
        let export = ["export", "@Seed.sqlite", "--anonymise", "@rules.yaml"] + decided
        let first = await run.run(export + ["--format", "csv", "--output", "@out/"])
        #expect(first.code == 0, "\(first.messages)")
        #expect(first.messages.contains("searched 1 file"), "\(first.messages)")
        let queries = ["Patient", "Injury", "Responder"].flatMap { ["--from", $0] }
        let subset = await run.run(
            ["subset", "@Seed.sqlite", "--rules", "@rules.yaml", "--output", "@T.sqlite"] + queries + decided)
        #expect(subset.code == 0, "\(subset.messages)")
        #expect(await run.run("export", "@T.sqlite", "--format", "csv", "--output", "@same/").code == 0)
        let original = await run.run("export", "@Seed.sqlite", "--entity", "Patient", "--output", "@Patient.csv")
        #expect(original.code == 0)
        #expect(try run.text("out/Patient.csv") == run.text("same/Patient.csv"))
        #expect(try run.text("out/Responder.csv") == run.text("same/Responder.csv"))
        #expect(try run.text("out/Patient.csv") != run.text("Patient.csv"))
        // Conditions are on the new values.
        let selected = await run.run(
            export + ["--entity", "Responder", "--where", "name MATCHES \"[0-9a-f]{32}\"", "--columns", "name"]
                + ["--output", "@names.csv"])
        #expect(selected.code == 0, "\(selected.messages)")
        #expect(try run.text("names.csv").split(separator: "\n").count == 41)
    }

    @Test func anExportOfUndecidedAttributesIsRefused() async throws {
        _ = try run.folder.write("Patient.name: keep\n", to: "rules.yaml")
        let refused = await run.run(
            "export", "@Seed.sqlite", "--anonymise", "@rules.yaml", "--output", "@all.json")
        #expect(refused.code == 65 && refused.messages.contains("Patient.age"), "\(refused.messages)")
        #expect(!FileManager.default.fileExists(atPath: run.path("all.json")))
        #expect(await run.run("export", "@Seed.sqlite", "--key-file", "@k", "--output", "@a.json").code == 64)
        #expect(
            await run.run("export", "@Seed.sqlite", "--anonymise", "@rules.yaml", "--force", "--output", "@rules.yaml")
                .code == 64)
    }
}
