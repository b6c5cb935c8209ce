import Foundation
import GranaryModel
import TestSupport
import Testing

struct StoreCommandTests {
    @Test func create() async throws {
        let run = try CommandRun()
        try run.writeModel()
        let result = await run.run("store", "create", "--model", "@Model.json", "--store", "@New.sqlite")
        #expect(result.code == 0 && result.output.isEmpty && result.messages.isEmpty)
        let bytes = try Data(contentsOf: run.folder.url.appending(path: "New.sqlite"))
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@New.sqlite").code == 73)
        #expect(try Data(contentsOf: run.folder.url.appending(path: "New.sqlite")) == bytes)
        #expect(await run.run("store", "create", "--model", "@Model.json", "--store", "@no/New.sqlite").code == 73)
        #expect(await run.run("store", "create", "--model", "@nix", "--store", "@Other.sqlite").code == 66)
        #expect(await run.run("store", "check", "@New.sqlite", "--model", "@Model.json").code == 0)
        #expect(try run.names == ["Model.json", "New.sqlite"])
    }

    private func info(_ run: CommandRun, _ more: String...) async throws -> [String: Any] {
        let result =
            more.isEmpty
            ? await run.run("store", "info", "@Seed.sqlite", "--format", "json")
            : await run.run("store", "info", "@Seed.sqlite", "--format", "json", "--model", "@Model.json")
        #expect(result.code == 0)
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func info() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.writeCache(CommandRun.model)
        let before = try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite"))
        let answer = try await info(run)
        #expect(
            Set(answer.keys)
                == [
                    "uuid", "frameworkVersion", "system", "model", "fits", "differences", "entities",
                    "versionIdentifiers", "userKeys", "pragmas", "history", "external", "derivedTriggers",
                    "cloudTables", "leftovers", "runs", "droppedRuns", "warnings",
                ])
        #expect(UUID(uuidString: answer["uuid"] as? String ?? "") != nil)
        #expect(["cache", "inferred"].contains(answer["model"] as? String))
        #expect(answer["fits"] is NSNull)
        #expect(answer["history"] is NSNull)
        #expect((answer["warnings"] as? [String])?.isEmpty == true)
        let entities = try #require(answer["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Injury", "Patient"])
        #expect(entities.map { $0["count"] as? Int } == [2, 2])
        #expect(entities.map { $0["number"] as? Int } == [1, 2])
        #expect(
            Set(entities[0].keys)
                == [
                    "name", "storedName", "number", "parent", "abstract", "count", "hash", "attributes",
                    "relationships",
                ])
        let hash = try CommandRun.model.resolved().versionHashes["Injury"]?.base64EncodedString()
        #expect(entities[0]["hash"] as? String == hash)

        let given = try await info(run, "model")
        #expect(given["model"] as? String == "given" && given["fits"] as? Bool == true)
        #expect((given["entities"] as? [[String: Any]])?.first?["abstract"] as? Bool == false)
        let text = await run.run("store", "info", "@Seed.sqlite")
        #expect(text.output.contains("2       Patient          2        "))
        #expect(try Data(contentsOf: run.folder.url.appending(path: "Seed.sqlite")) == before)
        #expect(try run.names == ["Model.json", "Seed.sqlite"])
    }

    @Test(arguments: [
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2", "Patient: Z_MAX 1 is lower than the largest key 2"),
        ("UPDATE ZPATIENT SET Z_ENT = 77 WHERE Z_PK = 1", "ZPATIENT has 1 row of Z_ENT 77"),
        ("DROP TABLE ZPATIENT", "the table ZPATIENT of Patient is missing"),
        ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 2", ""),
    ])
    func infoWarns(sql: String, warning: String) async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute(sql)
        let warnings = try #require(try await info(run)["warnings"] as? [String])
        #expect(warnings.contains { $0.hasPrefix(warning) } || warning.isEmpty)
    }

    /// Each row would be as wide as the widest.
    @Test func infoOfLongNames() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute(
            """
            INSERT INTO Z_PRIMARYKEY VALUES (3, char(27, 10) || hex(zeroblob(20000)), 0, 0);
            WITH RECURSIVE n (i) AS (VALUES (4) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, 3, 0 FROM n
            """)
        let text = await run.run("store", "info", "@Seed.sqlite")
        #expect(text.code == 0 && text.output.utf8.count < 500_000)
        #expect(!text.output.contains("\u{1B}"))
        let json = await run.run("store", "info", "@Seed.sqlite", "--format", "json")
        #expect(json.code == 0 && json.output.utf8.count < 2_000_000)
    }

    @Test func infoOfWhatIsNoStore() async throws {
        let run = try CommandRun()
        _ = try run.folder.write("no database at all", to: "text.sqlite")
        _ = try run.folder.write("", to: "empty.sqlite")
        #expect(await run.run("store", "info", "@nix.sqlite").code == 66)
        #expect(await run.run("store", "info", "@text.sqlite").code == 65)
        #expect(await run.run("store", "info", "@empty.sqlite").code == 65)
        #expect(await run.run("store", "info", "@").code == 66)
        try run.writeStore()
        try run.execute("DROP TABLE Z_METADATA")
        #expect(await run.run("store", "info", "@Seed.sqlite").code == 65)
    }

    @Test func checkOfAGoodStore() async throws {
        let run = try CommandRun()
        try run.writeStore()
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Model.json")
        #expect(result.code == 0)
        #expect(result.messages == "checked \(run.path("Seed.sqlite")): 0 errors, 0 warnings\n")
        #expect(await run.run("store", "check", "@Seed.sqlite").code == 0)
        #expect(await run.run("store", "check", "@nix.sqlite", "--model", "@Model.json").code == 66)
    }

    @Test(arguments: [
        (
            "UPDATE ZPATIENT SET ZAGE = 200 WHERE Z_PK = 1",
            "Patient.age: p1: 200 is larger than the maximum 130; in ZPATIENT.ZAGE, Z_PK 1; advice: set a value "
                + "that the model allows, or no value [value.tooLarge]"
        ),
        ("UPDATE ZPATIENT SET ZNAME = NULL WHERE Z_PK = 2", "Patient.name: p2: a value is required; in ZPATIENT.ZNAME"),
        (
            "UPDATE ZPATIENT SET ZNAME = x'80' WHERE Z_PK = 2",
            "Patient.name: p2: the text is not valid UTF-8 from its byte 0 on; in ZPATIENT.ZNAME, Z_PK 2; "
                + "advice: set a value that the model allows"
        ),
        (
            "UPDATE ZPATIENT SET ZINJURY = 99 WHERE Z_PK = 2",
            "Patient.injury: p2 refers to p99, which is not an object of Injury; in ZPATIENT.ZINJURY, Z_PK 2; advice: set the "
                + "relationship again, or delete the object [relationship.notFound]"
        ),
        (
            "UPDATE ZINJURY SET ZKEY = -1 WHERE Z_PK = 1",
            "Injury.key: p1: -1 is smaller than the minimum 0; in ZINJURY.ZKEY, Z_PK 1; advice: set a value"
        ),
        ("ALTER TABLE ZPATIENT RENAME COLUMN ZAGE TO ZOLD", "[store.layout]"),
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Other' || Z_ENT", "[store.layout]"),
        ("UPDATE ZPATIENT SET Z_ENT = 9 WHERE Z_PK = 1", "Z_ENT 9, which is not an entity of its table"),
    ])
    func checkFinds(sql: String, message: String) async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute(sql)
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Model.json")
        #expect(result.messages.contains(message), "\(result.messages)")
        #expect(result.code == 1)
    }

    @Test func checkWithTheModelOfAnotherStoreAdvisesOnce() async throws {
        let run = try CommandRun()
        try run.writeStore()
        var model = CommandRun.model
        for index in model.entities.indices { model.entities[index].attributes[0].isOptional = true }
        try run.writeModel(model, to: "The other.json")
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@The other.json")
        #expect(result.code == 1)
        #expect(result.lines.count { $0.contains("error: ") } == 2, "\(result.messages)")
        let advice =
            "  advice: use the model that the store was created with, or restore the store from a backup; granary model diff "
            + "\(run.path("Seed.sqlite")) '\(run.path("The other.json"))' lists what differs"
        #expect(result.lines.filter { $0.contains("advice: use the model") } == [advice], "\(result.messages)")
        // The command that is named works.
        #expect(await run.run("model", "diff", "@Seed.sqlite", "@The other.json").code == 1)
    }

    @Test func checkFindsDuplicates() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute("DROP INDEX Z_Injury_UNIQUE_name; UPDATE ZINJURY SET ZNAME = 'Burn'")
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Model.json")
        #expect(result.code == 1)
        #expect(result.messages.contains("Injury.name: p1 and p2 have the same value; in ZINJURY.ZNAME, Z_PK 2"))
    }

    @Test func checkAsJSON() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2")
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Model.json", "--format", "json")
        #expect(result.code == 1)
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(answer["errors"] as? Int == 1 && answer["model"] as? String == "given")
        let finding = try #require((answer["findings"] as? [[String: Any]])?.first)
        #expect(finding["table"] as? String == "Z_PRIMARYKEY" && finding["key"] as? Int == 2)
        #expect(finding["column"] as? String == "Z_MAX" && finding["code"] as? String == "store.corrupt")
        #expect((finding["advice"] as? String)?.hasPrefix("export the store") == true)
    }

    @Test func checkWithWarningsAlone() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.execute("DROP INDEX ZPATIENT_ZINJURY_INDEX")
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Model.json")
        #expect(result.code == 0 && result.messages.hasSuffix(": 0 errors, 1 warning\n"))
    }

    @Test func infoOfAnotherModel() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("Patient", [])]), to: "Other.json")
        let result = await run.run("store", "info", "@Seed.sqlite", "--model", "@Other.json")
        #expect(result.code == 0 && result.output.contains("only in store"))
    }

    @Test func checkAgainstAnotherModel() async throws {
        let run = try CommandRun()
        try run.writeStore()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("Patient", [])]), to: "Other.json")
        let result = await run.run("store", "check", "@Seed.sqlite", "--model", "@Other.json")
        #expect(result.code == 1 && result.messages.contains("[store.mismatch]"))
    }
}
