import Foundation
import GranaryModel
import TestSupport
import Testing

/// `granary subset` in this process: options, messages, reports and exit codes.
struct SubsetCommandTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
    }

    private func subset(_ words: String...) async -> CommandRun.Result {
        await run.run(["subset", "--store", "@Seed.sqlite", "--output", "@T.sqlite"] + words)
    }

    /// The patients of the subset as CSV.
    private func exported(_ columns: String) async throws -> String {
        let result = await run.run(
            "export", "--store", "@T.sqlite", "--entity", "Patient", "--columns", columns, "--output", "@patients.csv")
        #expect(result.code == 0, "\(result.messages)")
        return try run.text("patients.csv")
    }

    @Test("Chosen objects bring what they refer to; the report has the counts")
    func takes() async throws {
        let result = await subset("--from", "Patient WHERE age > 40", "--report", "@report.json")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger == "took 2 objects: Injury 1, Patient 1")
        #expect(result.lines.contains("  Injury   1 of 2  1 needed"), "\(result.messages)")
        #expect(result.lines.contains("  Patient  1 of 2  1 chosen"), "\(result.messages)")
        #expect(result.output.isEmpty)
        let patients = try await exported("$id,name,injury.name")
        #expect(patients.contains("Patient/p1,Ann,Fracture"), "\(patients)")
        #expect(await run.run("store", "check", "@T.sqlite").code == 0)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(try run.text("report.json").utf8)) as? [String: Any])
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Injury", "Patient"])
        #expect(entities.map { $0["total"] as? Int } == [2, 2])
        #expect(report["isAnonymised"] as? Bool == false)
    }

    @Test("Values are replaced, and the report says what was kept")
    func anonymises() async throws {
        let result = await subset(
            "--from", "Patient", "--anonymise", "Patient.name", "--anonymise", "Patient.age", "--random-seed", "5")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.lines.contains { $0.contains("Patient.name") && $0.contains("2 replaced") })
        #expect(result.lines.contains { $0.contains("Patient.age") && $0.contains("1 replaced, 1 NULL") })
        #expect(result.lines.contains { $0.contains("Injury.name") && $0.contains("1 kept (not named)") })
        let names = try await exported("name")
        let lines = names.split(whereSeparator: \.isNewline)
        #expect(lines.count == 3 && !lines.contains("Ann") && !lines.contains("Bob"), "\(names)")
        let quiet = await run.run(
            "subset", "--store", "@Seed.sqlite", "--output", "@U.sqlite", "--from", "Patient", "--anonymise",
            "all-text",
            "--quiet")
        #expect(quiet.code == 0 && quiet.lines.count == 1, "\(quiet.messages)")
    }

    @Test("An existing store and report need --force")
    func force() async throws {
        #expect(await subset("--from", "Injury").code == 0)
        let again = await subset("--from", "Patient")
        #expect(again.code == 73 && again.messages.contains("help: --force"), "\(again.messages)")
        let forced = await subset("--from", "Patient", "--force")
        #expect(forced.code == 0 && forced.ledger == "took 3 objects: Injury 1, Patient 2", "\(forced.messages)")
    }

    @Test("A wrong predicate shows its place, and nothing is written")
    func predicate() async throws {
        let before = try run.names
        let result = await subset("--from", "Patient WHERE agee > 40", "--report", "@report.json")
        #expect(result.code == 64 && result.messages.contains("did you mean \"age\"?"), "\(result.messages)")
        #expect(result.messages.contains("\n  ^"), "\(result.messages)")
        #expect(try run.names == before)
    }

    @Test("A value that cannot be replaced is refused, and no store is created")
    func refused() async throws {
        let strict = try CommandRun()
        try strict.writeModel(
            ManagedObjectModel(entities: [EntityDescription("Ticket", [.attribute("code", .string, .pattern("only"))])])
        )
        _ = try strict.folder.write("code\nonly\n", to: "t.csv")
        let words = ["--model", "@Model.json", "--store", "@S.sqlite"]
        #expect(await strict.run(["import", "@t.csv", "--entity", "Ticket"] + words).code == 0)
        let before = try strict.names
        let result = await strict.run(
            ["subset", "--from", "Ticket", "--anonymise", "Ticket.code", "--output", "@T.sqlite"] + words)
        #expect(
            result.code == 65 && result.messages.contains("Ticket.code: Ticket/p1: no replacement"),
            "\(result.messages)")
        #expect(try strict.names == before)
    }

    @Test(
        "Wrong usage",
        arguments: [
            ([], "--from"), (["--from", "Patint"], "did you mean \"Patient\"?"), (["--from", "Patient age"], "WHERE"),
            (["--from", "Patient", "--depth", "-1"], "--depth"),
            (["--from", "Patient", "--random-seed", "1"], "--anonymise"),
            (["--from", "Patient", "--anonymise", "name"], "ENTITY.ATTRIBUTE"),
            (["--from", "Patient", "--anonymise", "Patient.nme"], "did you mean \"name\"?"),
            (["--from", "Patient", "--no-follow", "Injury.patients"], "to-many"),
            (["--from", "Patient", "--store-uuid", "x"], "UUID"),
            (["--from", "Patient", "--report", "@Seed.sqlite"], "is the store"),
        ] as [([String], String)])
    func usage(_ words: [String], _ message: String) async throws {
        let before = try run.names
        let result = await run.run(["subset", "--store", "@Seed.sqlite", "--output", "@T.sqlite"] + words)
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
        #expect(try run.names == before)
    }
}
