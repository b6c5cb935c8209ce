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
        #expect(found.code == 1 && found.output.contains("Patient.name: replace"))
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
        _ = try run.folder.write("", to: "rules.yaml")
        let proposed = await run.run("anonymise", "--check", "@Seed.sqlite", "--rules", "@rules.yaml")
        _ = try run.folder.write(
            proposed.output.replacing("Responder.name: replace", with: "Responder.name: hash"), to: "rules.yaml")
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
}
