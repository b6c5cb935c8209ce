import Foundation
import GranaryModel
import TestSupport
import Testing

/// Folders that an export has written, edited and imported again.
struct ImportFolderTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Stay",
            [
                .attribute("number", .integer64), .attribute("note", .string),
                .toOne("guest", "Guest", inverse: "stays", .required),
            ],
            unique: [["number"]]),
        EntityDescription(
            "Guest",
            [
                .attribute("name", .string), .attribute("paid", .decimal),
                .toMany("stays", "Stay", inverse: "guest", .deleteRule(.deny)),
            ]),
    ])

    private static let update = ["--key", "$id", "--on-conflict", "update"]

    /// A store and its export in the folder `out`.
    private func exported(_ options: String...) async throws -> CommandRun {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let text =
            #"[{"name":"Ann","paid":1234.5,"stays":[{"number":1,"note":""},{"number":2,"note":""}]},{"name":"Bob","stays":[{"number":3,"note":""}]}]"#
        let made = try await run.importing(text, as: "guests.json", entity: "Guest")
        #expect(made.code == 0, "\(made.messages)")
        let result = await run.run(
            ["export", "--store", "@S.sqlite", "--output", "@out/"] + (options.isEmpty ? ["--format", "csv"] : options))
        #expect(result.code == 0, "\(result.messages)")
        return run
    }

    private func importing(_ run: CommandRun, _ words: [String]) async -> CommandRun.Result {
        await run.run(["import", "@out/", "--store", "@S.sqlite"] + words)
    }

    private func remove(_ line: String, from name: String, _ run: CommandRun) throws {
        let text = try run.text(name)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains(line) }
        #expect(lines.count < text.split(separator: "\n", omittingEmptySubsequences: false).count)
        _ = try run.folder.write(lines.joined(separator: "\n"), to: name)
    }

    @Test("--prune deletes the objects that the files of their entities lack") func pruning() async throws {
        let run = try await exported()
        try remove("Bob", from: "out/Guest.csv", run)
        let denied = await importing(run, Self.update + ["--prune"])
        #expect(denied.code == 65 && denied.messages.contains("relationship.denied"), "\(denied.messages)")
        try remove("Guest/p2", from: "out/Stay.csv", run)
        let dry = await importing(run, Self.update + ["--prune", "--dry-run"])
        #expect(dry.code == 0 && dry.messages.contains("2 deleted"), "\(dry.messages)")
        let result = await importing(run, Self.update + ["--prune"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.rows("S.sqlite", "Guest", "name") == ["Ann"])
        #expect(try run.rows("S.sqlite", "Stay", "number") == ["1", "2"])
    }

    @Test("With --entity, the files of other entities in the folder are not read") func entity() async throws {
        let run = try await exported()
        let result = await importing(run, Self.update + ["--entity", "Guest"])
        #expect(result.code == 0 && result.ledger.hasPrefix("read 2 = "), "\(result.messages)")
        try FileManager.default.removeItem(atPath: run.path("out/Guest.csv"))
        let missing = await importing(run, Self.update + ["--entity", "Guest"])
        #expect(missing.code == 64, "\(missing.messages)")
        #expect(missing.messages.contains("has no file of Guest; its sidecar describes files of Stay"))
    }

    @Test("A group separator is compared with the decimal separator of the sidecar") func separators() async throws {
        let run = try await exported("--for", "excel-de")
        let text = try run.text("out/Guest.csv")
        _ = try run.folder.write(text.replacing("1234,5", with: "1.234,50 €"), to: "out/Guest.csv")
        let result = await importing(run, Self.update + ["--currency", "€", "--group-separator", "."])
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger.contains("unchanged 5"), "\(result.ledger)")
        let comma = await importing(run, Self.update + ["--group-separator", ","])
        #expect(comma.code == 64 && comma.messages.contains("must differ"), "\(comma.messages)")
    }

    @Test("A dry run shows the old and new members of lists") func lists() async throws {
        let run = try await exported()
        let text = #"[{"$id":"Guest/p1","stays":["Stay/p1"]},{"$id":"Guest/p2","stays":["Stay/p3","Stay/p2"]}]"#
        _ = try run.folder.write(text, to: "edit.json")
        let result = await run.run(
            ["import", "@edit.json", "--entity", "Guest", "--store", "@S.sqlite", "--dry-run"] + Self.update)
        #expect(result.messages.contains("stays [Stay/p1, Stay/p2] -> [Stay/p1]"), "\(result.messages)")
        #expect(result.messages.contains("stays [Stay/p3] -> [Stay/p3, Stay/p2]"), "\(result.messages)")
    }

    @Test("Of long lists, a dry run shows what differs") func longLists() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let stays = (1...40).map { #"{"number":\#($0),"note":""}"# }.joined(separator: ",")
        _ = try await run.importing(
            "[{\"name\":\"Ann\",\"stays\":[\(stays)]},{\"name\":\"Bob\"}]", as: "g.json", entity: "Guest")
        let kept = (2...40).map { "\"Stay/p\($0)\"" }.joined(separator: ",")
        _ = try run.folder.write(
            #"[{"$id":"Guest/p1","stays":[\#(kept)]},{"$id":"Guest/p2","stays":["Stay/p1"]}]"#, to: "edit.json")
        let result = await run.run(
            ["import", "@edit.json", "--entity", "Guest", "--store", "@S.sqlite", "--dry-run"] + Self.update)
        #expect(result.messages.contains("stays [Stay/p1, … (40)] -> [… (39)]"), "\(result.messages)")
    }
}
