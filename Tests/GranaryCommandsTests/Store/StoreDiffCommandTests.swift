import Foundation
import GranaryModel
import TestSupport
import Testing

struct StoreDiffCommandTests {
    /// `Seed.sqlite`, and `Other.sqlite` after some SQL.
    private func stores(_ sql: String) throws -> CommandRun {
        let run = try CommandRun()
        try run.writeStore()
        try FileManager.default.copyItem(atPath: run.path("Seed.sqlite"), toPath: run.path("Other.sqlite"))
        if !sql.isEmpty { try run.execute(sql, in: "Other.sqlite") }
        return run
    }

    private func diff(_ run: CommandRun, _ more: String...) async -> CommandRun.Result {
        await run.run(["store", "diff", "@Seed.sqlite", "@Other.sqlite", "--model", "@Model.json"] + more)
    }

    @Test func equal() async throws {
        let run = try stores("")
        let result = await diff(run)
        #expect(result.code == 0 && result.messages.isEmpty)
        #expect(
            result.output == """
                entity   same  changed  only in A  only in B
                Injury   2     0        0          0
                Patient  2     0        0          0

                equal

                """)
        let json = await diff(run, "--format", "json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(json.code == 0 && object["equal"] as? Bool == true)
        #expect((object["differences"] as? [Any])?.isEmpty == true)
        #expect(try run.names == ["Model.json", "Other.sqlite", "Seed.sqlite"])
    }

    private static let changes =
        """
        UPDATE ZINJURY SET ZKEY = 7 WHERE Z_PK = 1;
        UPDATE ZPATIENT SET ZAGE = 45, ZINJURY = NULL WHERE Z_PK = 1;
        UPDATE ZPATIENT SET Z_PK = 3 WHERE Z_PK = 2;
        """

    @Test func differences() async throws {
        let run = try stores(Self.changes)
        let result = await diff(run)
        #expect(result.code == 1)
        #expect(
            result.output == """
                Injury "Burn": key: 0 -> 7
                Patient/p1: age: 44 -> 45, injury: Injury "Fracture" -> NULL
                only in A: Patient/p2
                only in B: Patient/p3

                entity   same  changed  only in A  only in B
                Injury   1     1        0          0
                Patient  0     1        1          1

                different: 4 objects

                """)
        let keyed = await diff(run, "--key", "Patient=name")
        #expect(keyed.code == 1 && !keyed.output.contains("only in A: Patient"))
        #expect(keyed.output.contains("Patient \"Ann\": age: 44 -> 45, injury: Injury \"Fracture\" -> NULL\n"))
    }

    @Test func asJSON() async throws {
        let run = try stores(Self.changes)
        let result = await diff(run, "--format", "json")
        #expect(result.code == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "a", "b", "differences", "differenceCount", "entities", "schema", "links", "warnings", "equal",
            ])
        #expect((object["links"] as? [Any])?.isEmpty == true)
        #expect(object["differenceCount"] as? Int == 4 && object["equal"] as? Bool == false)
        let differences = try #require(object["differences"] as? [[String: Any]])
        #expect(differences.map { $0["kind"] as? String } == ["changed", "changed", "onlyInA", "onlyInB"])
        #expect(differences.map { $0["id"] as? String } == ["Injury/p1", "Patient/p1", "Patient/p2", "Patient/p3"])
        #expect(differences.map { $0["key"] as? String } == ["Burn", nil, nil, nil])
        let patient = try #require(differences[1]["properties"] as? [String: [String: Any]])
        #expect(patient["age"]?["a"] as? Int == 44 && patient["age"]?["b"] as? Int == 45)
        #expect(patient["injury"]?["a"] as? String == "Fracture" && patient["injury"]?["b"] is NSNull)
        let entities = try #require(object["entities"] as? [[String: Any]])
        #expect(entities.map { $0["changed"] as? Int } == [1, 1])
        #expect(entities.map { $0["name"] as? String } == ["Injury", "Patient"])
    }

    @Test func limits() async throws {
        let run = try stores(Self.changes)
        let text = await diff(run, "--max-differences", "1")
        #expect(text.output.hasPrefix("Injury \"Burn\": key: 0 -> 7\n… and 3 more\n\nentity"))
        #expect(text.output.hasSuffix("different: 4 objects\n"))
        for limit in ["0", "2"] {
            let json = await diff(run, "--max-differences", limit, "--format", "json")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect((object["differences"] as? [Any])?.count == Int(limit))
            #expect(object["differenceCount"] as? Int == 4)
        }
    }

    @Test func exports() async throws {
        let run = try stores("")
        for output in ["out.json", "out.plist", "folder"] {
            let format = output == "folder" ? ["--format", "csv"] : []
            let exported = await run.run(
                ["export", "--store", "@Seed.sqlite", "--output", "@" + output + (format.isEmpty ? "" : "/")] + format)
            #expect(exported.code == 0, "\(exported.messages)")
            let result = await run.run("store", "diff", "@Seed.sqlite", "@" + output)
            #expect(result.code == 0 && result.output.hasSuffix("equal\n"), "\(result.messages)")
            let back = await run.run("store", "diff", "@" + output, "@Seed.sqlite")
            #expect(back.code == 0, "\(back.messages)")
        }
    }

    @Test func escapes() async throws {
        let run = try stores("UPDATE ZPATIENT SET ZNAME = 'a' || char(27, 10) || 'b' WHERE Z_PK = 1")
        let result = await diff(run)
        #expect(result.code == 1 && !result.output.contains("\u{1B}"))
        #expect(result.output.hasPrefix("Patient/p1: name: \"Ann\" -> \"a"))
        #expect(result.output.split(separator: "\n").count == 5)
    }

    @Test(
        arguments: [
            (["--key", "Patient"], 64), (["--key", "Patient="], 64), (["--key", "Patient=name,"], 64),
            (["--key", "Patint=name"], 64), (["--key", "Patient=nme"], 64), (["--max-differences", "-1"], 64),
            (["--format", "xml"], 64), (["--model", "@nix"], 66), (["--entity", "Patint"], 64),
            (["--key", "Injury=patients"], 64), (["--key", "nme"], 64), (["--key", "name,"], 64),
            (["--ignore", "agee"], 64),
            (["--ignore", "Patient.agee"], 64),
        ] as [([String], Int32)])
    func mistakes(_ words: [String], _ code: Int32) async throws {
        let run = try stores("")
        let result = await run.run(["store", "diff", "@Seed.sqlite", "@Other.sqlite"] + words)
        #expect(result.code == code && result.output.isEmpty, "\(result.messages)")
    }

    @Test func keysAndIgnored() async throws {
        let run = try stores(
            "UPDATE ZINJURY SET ZNAME = 'Scald' WHERE Z_PK = 1; UPDATE ZPATIENT SET ZAGE = 45 WHERE Z_PK = 1")
        let identified = await diff(run, "--key", "Injury=$id", "--key", "name")
        #expect(identified.output.hasPrefix("Injury/p1: name: \"Burn\" -> \"Scald\"\nPatient \"Ann\": age: 44 -> 45\n"))
        let ignored = await diff(run, "--ignore", "age", "--key", "Injury=$id", "--ignore", "Injury.name")
        #expect(ignored.code == 0 && ignored.output.hasSuffix("\nequal\n"), "\(ignored.messages)")
    }

    @Test func emptyEntities() async throws {
        let run = try stores("DELETE FROM ZPATIENT")
        try run.execute("DELETE FROM ZPATIENT")
        let one = await diff(run)
        #expect(
            one.output == """
                entity  same  changed  only in A  only in B
                Injury  2     0        0          0
                1 entity has no objects

                equal

                """)
        for name in ["Seed.sqlite", "Other.sqlite"] { try run.execute("DELETE FROM ZINJURY", in: name) }
        #expect(await diff(run).output == "2 entities have no objects\n\nequal\n")
    }

    @Test func missingFiles() async throws {
        let run = try stores("")
        let first = await run.run("store", "diff", "@nix.sqlite", "@Seed.sqlite")
        #expect(first.code == 66 && first.messages.contains("A: "))
        let second = await run.run("store", "diff", "@Seed.sqlite", "@nix.json")
        #expect(second.code == 66 && second.messages.contains("B: "))
    }

    @Test func models() async throws {
        let run = try stores("")
        var model = CommandRun.model
        model.entities[1].attributes.removeAll { $0.name == "age" }
        try run.writeModel(model, to: "Small.json")
        #expect(await run.run("store", "create", "--model", "@Small.json", "--store", "@Small.sqlite").code == 0)
        let result = await run.run("store", "diff", "@Seed.sqlite", "@Small.sqlite")
        #expect(result.code == 1)
        #expect(result.output.contains("model: only in A: Patient.age\n"))
        #expect(result.output.hasSuffix("different: 4 objects, 1 difference of the models\n"))
    }

    /// Exports of old stores, whose values break rules of the model.
    @Test func oldExports() async throws {
        let run = try stores("")
        try run.execute("UPDATE ZPATIENT SET ZAGE = 70000 WHERE Z_PK = 1")
        try run.execute("UPDATE ZINJURY SET ZNAME = 'A name of more than twenty units' WHERE Z_PK = 1")
        for output in ["out.json", "out.plist", "folder/"] {
            let format = output.hasSuffix("/") ? ["--format", "csv"] : []
            let exported = await run.run(["export", "--store", "@Seed.sqlite", "--output", "@" + output] + format)
            #expect(exported.code == 0, "\(exported.messages)")
            let result = await run.run("store", "diff", "@Seed.sqlite", "@" + output)
            #expect(result.code == 0 && result.output.hasSuffix("equal\n"), "\(result.output)\(result.messages)")
        }
    }

    /// Patients refer to injuries, which have another required attribute than their key.
    @Test func oneEntity() async throws {
        let run = try stores("UPDATE ZPATIENT SET ZAGE = 45 WHERE Z_PK = 1; UPDATE ZINJURY SET ZKEY = 7")
        let exported = await run.run(
            "export", "--store", "@Other.sqlite", "--entity", "Patient", "--output", "@patients.csv")
        #expect(exported.code == 0, "\(exported.messages)")
        let result = await run.run("store", "diff", "@Seed.sqlite", "@patients.csv", "--entity", "Patient")
        #expect(result.code == 1, "\(result.messages)")
        #expect(
            result.output == """
                Patient/p1: age: 44 -> 45

                entity   same  changed  only in A  only in B
                Patient  1     1        0          0

                different: 1 object

                """)
        #expect(await run.run("store", "diff", "@Seed.sqlite", "@patients.csv").output == result.output)
        _ = try run.folder.write("name\nAnn\n", to: "patients.csv")
        let unnamed = await run.run("store", "diff", "@Seed.sqlite", "@patients.csv")
        #expect(unnamed.code == 64 && unnamed.messages.contains("help: --entity ENTITY"), "\(unnamed.messages)")
        let stores = await run.run("store", "diff", "@Seed.sqlite", "@Other.sqlite", "--entity", "Injury")
        #expect(stores.code == 1 && !stores.output.contains("Patient"), "\(stores.output)")
    }
}
