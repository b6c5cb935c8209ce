import Foundation
import GranaryModel
import TestSupport
import Testing

/// Records and columns inside documents, from the command line.
struct ImportPlacesTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel()
    }

    @Test func severalEntitiesOfOneFile() async throws {
        _ = try run.folder.write(
            #"{"page":1,"data":{"patients":[{"who":{"name":"Ann"},"age":7,"x":1,"injury":"Burn"}],"injuries":{"Burn":{"id":3},"Cut":{"id":4}}}}"#,
            to: "in.json")
        let options = [
            "import", "@in.json", "--model", "@Model.json", "--store", "@S.sqlite", "--records",
            "Patient=data.patients",
            "--records", "Injury=data.injuries", "--record-key", "title", "--map", "title=name",
            "--map", "who.name=name", "--map", "Injury.id=key",
        ]
        let refused = await run.run(options)
        #expect(refused.code == 65 && refused.lines.contains("  help: --ignore x"), "\(refused.messages)")
        let result = await run.run(options + ["--ignore", "*"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.csv("S.sqlite", "Patient", "name,age,injury") == "name,age,injury\nAnn,7,Burn\n")
        #expect(try run.csv("S.sqlite", "Injury", "key,name") == "key,name\n3,Burn\n4,Cut\n")
    }

    @Test func aPlanHasTheSameOptions() async throws {
        _ = try run.folder.write(#"{"rows":[{"a":{"name":"Ann"}}]}"#, to: "in.json")
        func seed(_ lines: String) async throws -> CommandRun.Result {
            let start = "model: Model.json\nstore: S.sqlite\nimports:\n"
            _ = try run.folder.write(start + lines + "\n", to: "p.yaml")
            return await run.run("seed", "@p.yaml")
        }
        let wrong = try await seed("  - {entity: Patient, rows: [{name: x}], records: rows}")
        #expect(wrong.code == 65 && wrong.messages.contains("records: applies only to files"), "\(wrong.messages)")
        let overlap = try await seed("  - {file: in.json, records: {Patient: rows, Injury: rows.a}}")
        #expect(overlap.code == 65 && overlap.messages.contains("is inside \"rows\""), "\(overlap.messages)")
        let result = try await seed("  - {file: in.json, records: {Patient: rows}, map: {a.name: name}}")
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.csv("S.sqlite", "Patient", "name") == "name\nAnn\n")
    }

    @Test func wrongUse() async throws {
        let csv = try await run.importing("name\nx\n", as: "in.csv", entity: "Patient", ["--records", "a"])
        #expect(csv.code == 64 && csv.messages.contains("is for JSON documents and property lists"), "\(csv.messages)")
        let twice = try await run.importing(
            "[]", as: "in.json", entity: "Patient", ["--records", "a", "--records", "a.b"])
        #expect(twice.code == 64 && twice.messages.contains("records are read only once"), "\(twice.messages)")
        let missing = try await run.importing(
            #"{"rows":[]}"#, as: "in.json", entity: "Patient", ["--records", "row"])
        #expect(missing.code == 65 && missing.messages.contains("did you mean \"rows\"?"), "\(missing.messages)")
    }
}
