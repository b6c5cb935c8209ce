import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `granary seed` by the binary: the plan of the samples again and again, plans with mistakes, plans with several
/// stores.
@Suite struct SeedTests {
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func seedSample(_ options: [String] = []) throws -> Granary {
        try Granary.run(
            ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=" + path("Seed.sqlite")] + options)
    }

    private func ledger(_ read: Int, created: Int, updated: Int = 0, unchanged: Int = 0, rejected: Int = 0) -> String {
        let skipped = read - created - updated - unchanged - rejected
        return "read \(read) = created \(created) + updated \(updated) + unchanged \(unchanged) + skipped \(skipped) + "
            + "rejected \(rejected)"
    }

    /// What the sample's store holds, whatever the keys of its objects.
    private func contents() throws -> [String] {
        let tables = [
            ("Injury", "key,name"), ("Responder", "badge,name"),
            ("Patient", "admitted,name,injury,age,isConscious,priority,temperature,responder,emailid,notes"),
        ]
        var lines: [String] = []
        for (entity, columns) in tables {
            let export = try Granary.run([
                "export", "--store", path("Seed.sqlite"), "--model", model, "--entity", entity, "--format", "csv",
                "--columns", columns, "--output", "-",
            ])
            #expect(export.status == 0, "\(export.errors)")
            lines += export.output.split(separator: "\n").map { "\(entity): \($0)" }
        }
        return lines.sorted()
    }

    // MARK: The same plan again

    @Test(arguments: ["wal"]) func thePlanRunAgainChangesNothing(journalMode: String) throws {
        let first = try seedSample()
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.ledger == ledger(348, created: 348))
        let connection = try Connection(path: path("Seed.sqlite"), mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = \(journalMode)")
        #expect(mode == journalMode)
        try connection.close()
        let before = try bytes("Seed.sqlite")
        for options in [[], ["--dry-run"], ["--no-ledger"], []] as [[String]] {
            let again = try seedSample(options)
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.ledger == ledger(348, created: 0, unchanged: 348))
            let isSame = try bytes("Seed.sqlite") == before
            #expect(isSame, "\(options)")
            #expect(try names == ["Seed.sqlite"])
        }
        let info = try Granary.run(["store", "info", path("Seed.sqlite"), "--format", "json"])
        #expect(info.output.contains("\"run-1\"") && !info.output.contains("\"run-2\""), "\(info.output)")
    }

    func rowsThatWereDeletedComeBack() throws {
        #expect(try seedSample().status == 0)
        let before = try contents()
        let connection = try Connection(path: path("Seed.sqlite"), mode: .readWrite)
        let held = try connection.integer(
            """
            SELECT COUNT(*) FROM ZPATIENT WHERE ZRESPONDER = (SELECT Z_PK FROM ZRESPONDER WHERE ZBADGE = 'E-0011')
            """)
        let orphans = Int(held ?? 0)
        #expect(orphans > 0)
        try connection.execute(
            """
            DELETE FROM ZRESPONDER WHERE ZBADGE = 'E-0011';
            DELETE FROM ZPATIENT WHERE Z_PK IN
                (SELECT Z_PK FROM ZPATIENT WHERE ZRESPONDER IS NULL ORDER BY Z_PK LIMIT 3)
            """)
        try connection.close()
        let again = try seedSample()
        #expect(again.status == 0, "\(again.errors)")
        // The patients of the responder refer to the new one.
        #expect(again.ledger == ledger(348, created: 4, updated: orphans, unchanged: 344 - orphans))
        #expect(try contents() == before)
        let check = try Granary.run(["store", "check", path("Seed.sqlite"), "--model", model])
        #expect(check.status == 0, "\(check.errors)")
        #expect(try seedSample().ledger == ledger(348, created: 0, unchanged: 348))
    }

    func valuesThatWereChangedComeBack() throws {
        #expect(try seedSample().status == 0)
        let before = try contents()
        let connection = try Connection(path: path("Seed.sqlite"), mode: .readWrite)
        try connection.execute("UPDATE ZPATIENT SET ZAGE = 1, ZINJURY = NULL WHERE Z_PK IN (1, 2, 300)")
        try connection.close()
        let tried = try seedSample(["--dry-run"])
        #expect(tried.ledger == ledger(348, created: 0, updated: 3, unchanged: 345))
        #expect(tried.errors.contains("  update Patient/p1 ("), "\(tried.errors)")
        #expect(tried.errors.contains(": age 1 -> "), "\(tried.errors)")
        #expect(tried.errors.contains(", injury NULL -> Injury/p"), "\(tried.errors)")
        #expect(try contents() != before)
        let again = try seedSample()
        #expect(again.ledger == tried.ledger)
        #expect(try contents() == before)
    }

    // MARK: Mistakes

    @Test func mistakesOfThePlanHaveItsLines() throws {
        _ = try folder.write("key,name\n0,Burn\n", to: "injuries.csv")
        let text = """
            model: \(model)
            store: Seed.sqlite
            imports:
              - entity: Injury
                file: injuries.csv
                on-confict: update
              - entity: Injury
                file: injuries.csv
                null-is-default: maybe
            """
        _ = try folder.write(text, to: "seed.yaml")
        let run = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains("seed.yaml:6:5: error: "), "\(run.errors)")
        #expect(run.errors.contains("did you mean \"on-conflict\"? [plan.unknown]"), "\(run.errors)")
        #expect(run.errors.contains("seed.yaml:9:22: error: "), "\(run.errors)")
        #expect(run.ledger == ledger(0, created: 0))
        #expect(try names == ["injuries.csv", "seed.yaml"])
    }

    @Test func whatTheModelDoesNotHaveIsNamedInThePlan() throws {
        _ = try folder.write("key,name\n0,Burn\n", to: "injuries.csv")
        let text = """
            model: \(model)
            store: Seed.sqlite
            imports:
              - entity: Injury
                file: injuries.csv
              - entity: Injurie
                file: injuries.csv
            """
        _ = try folder.write(text, to: "seed.yaml")
        let run = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains("seed.yaml:6:5: error: "), "\(run.errors)")
        #expect(run.errors.contains("did you mean \"Injury\"?"), "\(run.errors)")
        #expect(try names == ["injuries.csv", "seed.yaml"])
    }

    /// What is wrong with a row is said at the row, of whatever import it is.
    @Test func mistakesOfRowsHaveTheirFilesLines() throws {
        _ = try folder.write("badge,name\nE-1,Ann\n,Bob\n", to: "responders.csv")
        let text = """
            model: \(model)
            store: Seed.sqlite
            imports:
              - entity: Patient
                rows:
                  - {name: Cid, responder: E-2}
              - {entity: Responder, file: responders.csv}
            """
        _ = try folder.write(text, to: "seed.yaml")
        let run = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains("responders.csv:3:1: error: Responder.badge: "), "\(run.errors)")
        #expect(run.errors.contains("seed.yaml:6:"), "\(run.errors)")
        #expect(run.errors.contains("there is no Responder with the key \"E-2\""), "\(run.errors)")
        #expect(run.ledger == ledger(3, created: 0, rejected: 2))
        #expect(try names == ["responders.csv", "seed.yaml"])
    }

    // MARK: Several stores

    private func writeTwoStores(_ responders: String) throws {
        _ = try folder.write(responders, to: "responders.csv")
        let text = """
            model: \(model)
            defaults: {on-conflict: update}
            stores:
              - store: A.sqlite
                imports:
                  - {entity: Injury, terms: Burn%C-Spine, delimiter: "%", attribute: name, ordinal: key}
              - store: B.sqlite
                imports:
                  - {entity: Responder, file: responders.csv}
            """
        _ = try folder.write(text, to: "seed.yaml")
    }

    @Test func severalStoresAreWrittenTogetherOrNotAtAll() throws {
        try writeTwoStores("badge,name\nE-1,Ann\n,Bob\n")
        let refused = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(refused.ledger == ledger(4, created: 0, rejected: 1))
        #expect(try names == ["responders.csv", "seed.yaml"])

        try writeTwoStores("badge,name\nE-1,Ann\nE-2,Bob\n")
        let first = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.ledger == ledger(4, created: 4))
        #expect(try names == ["A.sqlite", "B.sqlite", "responders.csv", "seed.yaml"])
        let before = [try bytes("A.sqlite"), try bytes("B.sqlite")]

        // One is refused, and the other has nothing to change.
        try writeTwoStores("badge,name\nE-1,Anna\n,Bob\n")
        let second = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(second.status == 65, "\(second.errors)")
        #expect([try bytes("A.sqlite"), try bytes("B.sqlite")] == before)

        try writeTwoStores("badge,name\nE-1,Anna\nE-2,Bob\n")
        let third = try Granary.run(["seed", "seed.yaml"], in: folder.url)
        #expect(third.status == 0, "\(third.errors)")
        #expect(third.ledger == ledger(4, created: 0, updated: 1, unchanged: 3))
        #expect(try bytes("A.sqlite") == before[0])
        #expect(try bytes("B.sqlite") != before[1])
        #expect(try names == ["A.sqlite", "B.sqlite", "responders.csv", "seed.yaml"])
    }
}

@Suite struct SeedLongTests {
    @Test func thePlanRunAgainChangesNothing() throws {
        try SeedTests().thePlanRunAgainChangesNothing(journalMode: "delete")
    }

    @Test func rowsThatWereDeletedComeBack() throws {
        try SeedTests().rowsThatWereDeletedComeBack()
    }

    @Test func valuesThatWereChangedComeBack() throws {
        try SeedTests().valuesThatWereChangedComeBack()
    }
}
