import Foundation
import GranaryModel
import TestSupport
import Testing

/// Messages of imports that say what to do.
@Suite struct ImportAdviceTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
    }

    @Test("A missing file is reported before any other complaint", arguments: ["nosuch/", "nosuch.csv", "nosuch"])
    func missingFile(_ name: String) async {
        let result = await run.run("import", "@" + name, "--store", "@New.sqlite", "--entity", "Patient")
        #expect(result.code == 66, "\(result.messages)")
        #expect(result.lines.first?.hasSuffix("\(name): there is no such file") == true, "\(result.messages)")
    }

    @Test("A mistyped key of a folder is refused") func mistypedKey() async throws {
        #expect(await run.run("export", "@Seed.sqlite", "--format", "csv", "--output", "@all/").code == 0)
        let result = await run.run(
            "import", "@all/", "--store", "@Seed.sqlite", "--key", "nonsense", "--on-conflict", "skip")
        #expect(
            result.code == 64 && result.messages.contains("the key: no entity has the property \"nonsense\""),
            "\(result.messages)")
    }

    @Test("An edited export comes back by its $id") func editedExport() async throws {
        #expect(await run.run("export", "@Seed.sqlite", "--format", "csv", "--output", "@all/").code == 0)
        let edited = try run.text("all/Patient.csv").replacing("Bob", with: "Robert") + ",7,Eve,Burn\n"
        _ = try run.folder.write(edited, to: "all/Patient.csv")
        let refused = await run.run("import", "@all/", "--store", "@Seed.sqlite", "--on-conflict", "update")
        #expect(refused.code == 65 && refused.messages.contains("help: --key '$id'"), "\(refused.messages)")
        let words = ["import", "@all/", "--store", "@Seed.sqlite", "--on-conflict", "update", "--key", "$id"]
        let result = await run.run(words)
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger.hasPrefix("read 5 = created 1 + updated 1 + unchanged 3"), "\(result.ledger)")
        #expect(try run.rows("Seed.sqlite", "Patient", "name,injury") == ["Ann,Fracture", "Robert,", "Eve,Burn"])
    }

    @Test("A row without required columns says that it is new") func narrowUpdate() async throws {
        _ = try run.folder.write("name\nBurn\nScald\n", to: "Injury.csv")
        let result = await run.run("import", "@Injury.csv", "--store", "@Seed.sqlite", "--on-conflict", "update")
        #expect(
            result.code == 65
                && result.messages.contains(
                    "a value is required; the row is a new object, because no Injury has this name"),
            "\(result.messages)")
    }

    @Test("An export of several tables to one file names the option that combines them") func subentities() async throws
    {
        let folder = try CommandRun()
        try folder.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription("Car", [.attribute("name", .string)]),
                EntityDescription("Taxi", [.attribute("fee", .integer16)], superentity: "Car"),
            ]))
        #expect(try await folder.importing("name\nx\n", as: "Car.csv", entity: "Car").code == 0)
        let result = await folder.run("export", "@S.sqlite", "--entity", "Car", "--output", "@car.csv")
        #expect(
            result.code == 64 && result.lines.contains("  help: --subentities or --output folder/"),
            "\(result.messages)")
    }
}
