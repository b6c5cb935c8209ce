import Foundation
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import Testing

struct StoreRevertCommandTests {
    @Test func revert() async throws {
        let run = try CommandRun()
        try run.writeStore()
        #expect(await run.run("store", "revert", "@none.sqlite").code == 66)
        #expect(await run.run("store", "revert", "@Seed.sqlite").code == 66)
        #expect(await run.run("store", "revert", "@Seed.sqlite", "--run", "run-a").code == 66)
        #expect(await run.run("store", "revert", "@Seed.sqlite", "--run", "../a").code == 64)

        var counts = ImportRun.Counts()
        counts.read = 3
        counts.pruned = 1
        let entry = ImportRun(id: "run-a", counts: counts, sources: [], isRevertible: true)
        try change(run, entry)
        let info = await run.run("store", "info", "@Seed.sqlite", "--format", "json")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any])
        let runs = try #require(answer["runs"] as? [[String: Any]])
        #expect(runs.count == 1 && runs[0]["id"] as? String == "run-a" && runs[0]["read"] as? Int == 3)
        #expect(runs[0]["revertible"] as? Bool == true && runs[0]["pruned"] as? Int == 1)
        #expect(await run.run("store", "info", "@Seed.sqlite").output.contains("run-a"))

        let reverted = await run.run("store", "revert", "@Seed.sqlite", "--model", "@Model.json")
        #expect(reverted.code == 0 && reverted.output.isEmpty)
        #expect(reverted.messages.contains("reverted run-a: 0 objects removed, 0 restored, 1 recreated; "))
        #expect(try run.names == ["Model.json", "Seed.sqlite"])
    }

    private func change(_ run: CommandRun, _ entry: ImportRun) throws {
        let store = try SQLiteStore.open(path: run.path("Seed.sqlite"), schema: try CommandRun.model.resolved())
        try store.transaction(recording: entry.id) { writer in
            try writer.delete(entity: 1, keys: [2])
            try writer.recordRun(entry)
        }
    }
}
