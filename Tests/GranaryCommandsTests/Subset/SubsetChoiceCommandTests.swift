import Foundation
import TestSupport
import Testing

/// `--limit`, `--sample`, `--follow` and `--explain` of `subset`.
@Suite struct SubsetChoiceCommandTests {
    private let run: CommandRun

    init() async throws {
        run = try CommandRun()
        let seed = await run.run(
            "seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(run.path("Seed.sqlite"))")
        #expect(seed.code == 0)
    }

    private func subset(_ words: String...) async -> CommandRun.Result {
        await run.run(["subset", "@Seed.sqlite", "--output", "@T.sqlite", "--force"] + words)
    }

    @Test func followedMembersAreThoseOfAQuery() async throws {
        let result = await subset(
            "--from", "Injury WHERE name == \"Burn\"", "--follow",
            "Injury.patients WHERE age > 10 AND name != \"LIMIT 3\" LIMIT 4 SORT age:desc SORT name", "--explain",
            "Injury/p2")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.messages.contains("4 followed") && result.messages.contains("Injury/p2 "), "\(result.messages)")
        let expected = await run.run(
            "query", "@Seed.sqlite", "Patient WHERE injury.name == \"Burn\" AND age > 10", "--sort", "age:desc",
            "--sort", "name", "--limit", "4", "--columns", "$id")
        let found = await run.run("query", "@T.sqlite", "Patient", "--columns", "$id")
        func lines(_ text: String) -> Set<Substring> { Set(text.split(separator: "\n")) }
        #expect(lines(expected.output) == lines(found.output))
        #expect(expected.messages.contains("4 objects") && found.messages.contains("4 objects"))
    }

    @Test func aConditionCanContainTheWordsOfClauses() async throws {
        let result = await subset(
            "--from", "Injury WHERE name == \"Burn\"", "--follow", "Injury.patients WHERE name == \"bubble sort asc\"")
        #expect(result.code == 0 && result.ledger.contains("took 1 object"), "\(result.messages)")
    }

    @Test func limitsAndSamplesAreTaken() async throws {
        var result = await subset("--from", "Patient", "--limit", "12")
        #expect(result.ledger.contains("Patient 12"), "\(result.messages)")
        result = await subset("--from", "Patient", "--sample", "5%")
        #expect(result.ledger.contains("Patient 15"), "\(result.messages)")
        result = await subset("--from", "Patient", "--sample", "9", "--random-seed", "4")
        #expect(result.ledger.contains("Patient 9"), "\(result.messages)")
    }

    @Test(arguments: [
        ["--sample", "x"], ["--sample", "-3"], ["--sample", "101%"], ["--limit", "-1"],
        ["--limit", "1", "--sample", "1"],
        ["--follow", "Injury"], ["--follow", "Injury.patients LIMIT x"], ["--follow", "Injury.patients ORDER name"],
        ["--follow", "Injury.patients SORT name:up"], ["--follow", "Injury.nothing"], ["--explain", "Patient"],
        ["--follow", "Injury.patients WHERE nothing == 1"], ["--follow", "Patient.injury"],
    ])
    func wrongUse(words: [String]) async {
        let result = await run.run(["subset", "@Seed.sqlite", "--output", "@T.sqlite", "--from", "Patient"] + words)
        #expect(result.code == 64, "\(words): \(result.messages)")
        #expect(!FileManager.default.fileExists(atPath: run.path("T.sqlite")))
    }
}
