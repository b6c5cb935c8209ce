import Foundation
import GranaryModel
import TestSupport
import Testing

struct ModelDiffCommandTests {
    /// `CommandRun.model` with an attribute renamed, one required, a longer text.
    private static let newer: ManagedObjectModel = {
        var model = CommandRun.model
        model.entities[0].attributes[0].name = "number"
        model.entities[0].attributes[0].renamingIdentifier = "key"
        model.entities[0].attributes[1].maximumLength = 40
        model.entities[1].attributes[1].isOptional = false
        return model
    }()

    @Test func text() async throws {
        let run = try CommandRun()
        try run.writeModel()
        try run.writeModel(Self.newer, to: "Newer.json")
        let result = await run.run("model", "diff", "@Model.json", "@Newer.json")
        #expect(result.code == 1 && result.messages.isEmpty)
        #expect(
            result.output == """
                Injury
                  attribute name: maximumLength 20 → 40  [no migration]
                  attribute number: renamed key → number  [inferred]
                Patient
                  attribute age: isOptional true → false  [inferred if the data fits: each object needs a \
                value, because the required attribute has no default value]
                the version hashes differ (Injury, Patient); a lightweight migration is possible if the data fits: 1 of 3 \
                changes depends on it

                """)
    }

    @Test func json() async throws {
        let run = try CommandRun()
        try run.writeModel()
        try run.writeModel(Self.newer, to: "Newer.json")
        let result = await run.run("model", "diff", "@Model.json", "@Newer.json", "--format", "json")
        #expect(result.code == 1)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(answer["equal"] as? Bool == false)
        #expect(answer["hashesEqual"] as? Bool == false)
        #expect(answer["lightweight"] as? Bool == true)
        #expect(answer["migration"] as? String == "inferredIfDataFits" && answer["reason"] is String)
        let changes = try #require(answer["changes"] as? [[String: Any]])
        #expect(changes.map { $0["what"] as? String } == ["maximumLength", "renamed", "isOptional"])
        #expect(changes.map { $0["kind"] as? String } == ["attribute", "attribute", "attribute"])
        #expect(changes.map { $0["migration"] as? String } == ["none", "inferred", "inferredIfDataFits"])
        #expect(changes[1]["from"] as? String == "key" && changes[1]["to"] as? String == "number")
        #expect(changes[0]["reason"] is NSNull && changes[2]["reason"] is String)
        // Nothing is left out.
        #expect(changes.allSatisfy { $0.count == 8 })
    }

    @Test func equalModels() async throws {
        let run = try CommandRun()
        try run.writeModel()
        try run.writeModel(CommandRun.model, to: "Same.xcdatamodeld")
        let result = await run.run("model", "diff", "@Model.json", "@Same.xcdatamodeld")
        #expect(result.code == 0 && result.output == "the models are equal\n")
    }

    @Test func sameHashes() async throws {
        let run = try CommandRun()
        try run.writeModel()
        var model = CommandRun.model
        model.entities[0].userInfo = ["a": "b"]
        try run.writeModel(model, to: "Noted.json")
        let result = await run.run("model", "diff", "@Model.json", "@Noted.json")
        #expect(result.code == 1)
        #expect(result.output.hasSuffix("the version hashes are the same: stores open without a migration\n"))
    }

    @Test func problems() async throws {
        let run = try CommandRun()
        try run.writeModel()
        _ = try run.folder.write("{", to: "cut.json")
        #expect(await run.run("model", "diff", "@Model.json").code == 64)
        #expect(await run.run("model", "diff", "@Model.json", "@nix.json").code == 66)
        #expect(await run.run("model", "diff", "@cut.json", "@Model.json").code == 65)
        var broken = CommandRun.model
        broken.entities[1].relationships[0].destinationEntityName = "Nowhere"
        try run.writeModel(broken, to: "Broken.json")
        let result = await run.run("model", "diff", "@Model.json", "@Broken.json")
        #expect(result.code == 1 && result.output.contains("a model has problems (model check)"))
    }

    /// A compiled model has lost what only the editor knows, and the spelling of predicates: that is no difference.
    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: [
            (
                "alemar11__CoreDataPlus/SampleModel2",
                "compiled/alemar11__CoreDataPlus/SampleModel.momd/SampleModel2.mom"
            ),
            ("robbiehanson__XMPPFramework/XMPPRoom", "compiled/QuickBlox__quickblox-ios-sdk/XMPPRoom.momd"),
            (
                "wibosco__CoreDataMigrationRevised-Example/CoreDataMigration_Example",
                "stores/alemar11__CoreDataPlus/CoreDataMigration_Example_1.sqlite"
            ),
        ])
    func sourceAgainstCompiled(source: String, compiled: String) async throws {
        let run = try CommandRun()
        let model = try SharedFiles.url("coredata/models/\(source).xcdatamodel").path
        let other = try SharedFiles.url("coredata/\(compiled)").path
        for models in [[model, other], [other, model]] {
            let result = await run.run(["model", "diff"] + models)
            #expect(result.code == 0 && result.output == "the models are equal\n", "\(result.output)")
        }
    }

    /// The model that a store carries is as good as the model itself.
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func storeAgainstModel() async throws {
        let run = try CommandRun()
        let store = try SharedFiles.url("coredata/stores/alemar11__CoreDataPlus/SampleModel_V1.sqlite").path
        let model = try SharedFiles.url("coredata/models/alemar11__CoreDataPlus/SampleModel2.xcdatamodel").path
        let result = await run.run("model", "diff", store, model)
        #expect(result.code == 1)
        #expect(result.output.contains("entity: renamed ExpensiveSportCar → LuxuryCar  [inferred]"))
        #expect(result.output.hasSuffix("a lightweight migration is possible\n"))
    }

    /// `model hash` of the same model in every form that one can be read from.
    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: [
            "compiled/alemar11__CoreDataPlus/SampleModel.momd/SampleModel2.mom",
            "stores/alemar11__CoreDataPlus/SampleModel_V2.sqlite", "json", "mom",
        ])
    func hashFromEveryForm(path: String) async throws {
        let run = try CommandRun()
        let model = try SharedFiles.url("coredata/models/alemar11__CoreDataPlus/SampleModel2.xcdatamodel").path
        var other = run.path("Other.\(path)")
        if path.contains("/") {
            other = try SharedFiles.url("coredata/\(path)").path
        } else {
            #expect(await run.run("model", "convert", model, "--output", other).code == 0)
        }
        let hashes = await run.run("model", "hash", model)
        #expect(hashes.code == 0)
        #expect(await run.run("model", "hash", other).output == hashes.output)
    }

    /// A `.momd` is read as its current version.
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func hashOfCurrentVersion() async throws {
        let run = try CommandRun()
        let folder = try SharedFiles.url("coredata/compiled/alemar11__CoreDataPlus/SampleModel3.momd")
        let names = ["", "/SampleModel3.mom", "/SampleModel3_v2.mom", "/SampleModel3_v3.mom"]
        var outputs: [String] = []
        for name in names { outputs.append(await run.run("model", "hash", folder.path + name).output) }
        #expect(outputs.dropFirst().filter { $0 == outputs[0] }.count == 1)
    }
}
