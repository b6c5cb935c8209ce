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

    /// The values of a column, without its name.
    private func values(_ store: String, _ entity: String, _ column: String, _ words: String...) async throws
        -> [String]
    {
        let result = await run.run(
            ["export", store, "--entity", entity, "--columns", column, "--output", "@values.csv", "--force"] + words)
        #expect(result.code == 0, "\(result.messages)")
        return try run.text("values.csv").split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test func followedMembersAreThoseOfAQuery() async throws {
        let result = await subset(
            "--from", "Injury WHERE name == \"Burn\"", "--follow",
            "Injury.patients WHERE age > 10 AND name != \"LIMIT 3\" LIMIT 4 SORT age:desc SORT name", "--explain",
            "Injury/p2")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.messages.contains("4 followed") && result.messages.contains("Injury/p2 "), "\(result.messages)")
        let expected = try await values(
            "@Seed.sqlite", "Patient", "$id", "--where", "injury.name == \"Burn\" AND age > 10", "--sort", "age:desc",
            "--sort", "name", "--limit", "4")
        let found = try await values("@T.sqlite", "Patient", "$id")
        #expect(found.count == 4 && Set(expected) == Set(found))
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

    @Test func aVirtualReferenceIsFollowedAndExplained() async throws {
        let all = await subset(
            "--from", "Patient WHERE age > 60", "--no-follow", "Patient.injury", "--reference",
            "Patient.priority = Injury.key", "--explain", "Injury/p4")
        #expect(all.code == 0 && all.messages.contains("named by Patient/p"), "\(all.messages)")
        let injuries = try await values("@T.sqlite", "Injury", "key")
        let priorities = try await values("@T.sqlite", "Patient", "priority")
        #expect(!injuries.isEmpty && Set(injuries) == Set(priorities))
    }

    @Test func objectsAreAddedToAStore() async throws {
        #expect(await subset("--from", "Patient", "--limit", "20").code == 0)
        let into = ["subset", "@Seed.sqlite", "--into", "@T.sqlite", "--from", "Patient WHERE age > 60"]
        let refused = await run.run(into)
        #expect(refused.code == 65, "\(refused.messages)")
        #expect(
            refused.messages.contains("error: Injury.name: Injury/p")
                && refused.messages.contains("help: --on-conflict skip"),
            "\(refused.messages)")
        #expect(refused.messages.contains("@") == false && !refused.messages.contains("ndjson"), "\(refused.messages)")
        let added = await run.run(into + ["--on-conflict", "skip", "--report", "@report.json"])
        let old = try await values("@Seed.sqlite", "Patient", "name", "--where", "age > 60")
        #expect(added.code == 0 && old.count > 10, "\(added.messages)")
        let found = try await values("@T.sqlite", "Patient", "name")
        #expect(found.count == 20 + old.count && Set(old).isSubset(of: found))
        #expect(try run.text("report.json").contains("\"smallTables\""))
        #expect(await run.run("store", "check", "@T.sqlite").code == 0)
        #expect(try run.names.allSatisfy { !$0.contains(".partial") })
        let missing = await run.run(
            "subset", "@Seed.sqlite", "--into", "@None.sqlite", "--from", "Patient")
        #expect(missing.code == 66 && missing.messages.contains("--output creates one"), "\(missing.messages)")
    }

    @Test(
        arguments: [
            (["--into", "@Seed.sqlite"], "exclude each other"), (["--on-conflict", "skip"], "applies only to --into"),
            (["--reference", "Patient.age"], "ENTITY.ATTRIBUTE=ENTITY.ATTRIBUTE"),
            (["--reference", "Patient.name=Injury.key"], "do not name each other"),
            (["--reference", "Patient.agee=Injury.key"], "did you mean \"age\"?"),
            (["--small-tables", "-1"], "--small-tables"),
        ] as [([String], String)])
    func wrongUseOfReferencesAndTargets(words: [String], message: String) async {
        let result = await run.run(["subset", "@Seed.sqlite", "--output", "@T.sqlite", "--from", "Patient"] + words)
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
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
