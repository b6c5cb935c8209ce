import Foundation
import GranaryPostgreSQL
import StoreTestSupport
import TestSupport
import Testing

/// The runs of imports into PostgreSQL stores: lists, reverts, and checks of what they have stored.
extension PostgreSQLCommandTests.WithServer {
    /// The store is equal to that in SQLite after each command, so the revert gives the store before the run.
    @Test func runsAreRevertedAsInSQLite() async throws {
        func file(_ name: String, _ text: String) throws -> String { try run.folder.write(text, to: name).path }
        let first = try file("a.csv", "badge,name\nA-1,Ann\nA-2,Bob\nA-3,Cid\n")
        let second = try file("b.csv", "badge,name\nA-1,Anna\nA-2,Bob\nA-4,Dora\n")
        let third = try file("c.csv", "badge,name\nA-4,Dot\n")
        let options = [
            "--entity", "Responder", "--store", "STORE", "--key", "badge", "--on-conflict", "update",
            "--revertible",
        ]
        let stores = try await compare(
            [
                ["import", first, "--model", model] + options,
                ["import", second, "--prune"] + options,
                ["import", second, "--dry-run"] + options,
                ["import", third] + options,
                // run-2 inserted what run-3 has changed.
                ["store", "revert", "STORE", "--run", "run-2"],
                ["store", "revert", "STORE", "--model", model],
                ["store", "revert", "STORE", "--run", "run-9"],
                ["store", "revert", "STORE", "--run", "../a"],
                ["store", "revert", "STORE"],
                ["import", second] + options,
                ["store", "runs", "STORE", "--keep", "1"],
                ["store", "revert", "STORE", "--run", "run-1"],
                // A sequence does not go back, so that the keys differ.
            ], "Runs", comparesKeys: false)
        for (words, code) in [
            (["store", "runs", "STORE", "--format", "json"], 0),
            (["store", "revert", "STORE", "--run", "run-1"], 66),
        ] {
            var answers: [String] = []
            for store in stores {
                let result = await run.run(words.map { $0 == "STORE" ? store : $0 })
                #expect(result.code == code)
                answers.append(result.output.replacing(/"(date|revertBytes)" : [^,}]*/) { "\"\($0.1)\"" })
            }
            #expect(answers[0] == answers[1])
        }
        let info = await succeeds("store", "info", stores[0], "--format", "json")
        #expect(info.output.contains("\"revertible\" : true") && info.output.contains("\"revertible\" : false"))
    }

    /// The sample's plan, and what other programs do to the store afterwards.
    @Test func aStoreIsCheckedAndItsRunsAreListed() async throws {
        let plan = Samples.url("Triage/seed.yaml").path
        let name = "check_\(UUID().uuidString.prefix(8))"
        let store = server.url(schema: name)
        _ = await succeeds("seed", plan, "--set", "STORE=\(store)")
        let sound = await succeeds("store", "check", store)
        #expect(sound.ledger.contains("0 errors"), "\(sound.messages)")
        _ = await succeeds("store", "check", store, "--model", model)
        let runs = await succeeds("store", "runs", store)
        #expect(runs.output.contains("run-1"))
        let other = Samples.url("Customers/Customers.xcdatamodeld").path
        #expect(await run.run("store", "check", store, "--model", other).code == 1)
        let damages = [
            ("UPDATE \"Patient\" SET age = -4 WHERE \"$id\" = 1", "value.tooSmall"),
            (
                "ALTER TABLE \"Patient\" DROP CONSTRAINT \"Patient_injury_fkey\"; "
                    + "UPDATE \"Patient\" SET injury = 999 WHERE \"$id\" = 2",
                "p2 refers to p999"
            ),
            (
                "DROP INDEX \"Responder_badge_idx\"; UPDATE \"Responder\" SET badge = (SELECT badge FROM \"Responder\" "
                    + "WHERE \"$id\" = 1) WHERE \"$id\" = 3",
                "p1 and p3 have the same value"
            ),
            ("SELECT setval('\"Injury$id\"', 1)", "the sequence Injury$id gives 2 next"),
        ]
        for (damage, _) in damages { _ = try server.sql("SET search_path = \"\(name)\"; \(damage)") }
        let found = await run.run("store", "check", store)
        #expect(found.code == 1)
        for (_, text) in damages { #expect(found.messages.contains(text), "\(text): \(found.messages)") }
    }
}
