import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// Commands with the Swift sources of samples/Trips as their model.
@Suite(.enabled(if: SwiftDataSample.isToolThere, "\(SwiftDataSample.absence)"))
struct SwiftDataModelCommandTests {
    private static let models = SwiftDataSample.models

    /// Each form that a model is converted to has the same hashes, and the same defaults.
    @Test(arguments: ["M.xcdatamodel", "M.mom", "M.json", "M.plist", "M.granary.yaml"])
    func aConvertedModelIsTheSame(_ name: String) async throws {
        let run = try CommandRun()
        var result = await run.run("model", "convert", Self.models, "--output", "@" + name)
        #expect(result.code == 0, "\(result.messages)")
        result = await run.run("model", "hash", "@" + name)
        let source = await run.run("model", "hash", Self.models)
        #expect(result.output == source.output)
        let model = try ManagedObjectModel(contentsOf: URL(filePath: run.path(name)))
        let stop = try #require(model.entity(named: "Stop"))
        #expect(stop.attribute(named: "links")?.defaultValue != nil)
        #expect(stop.attribute(named: "tags")?.defaultValue != nil)
        // The enumeration is one value in each form.
        let trip = try #require(try model.resolved().entity(named: "Trip"))
        #expect(trip.attributes.contains { $0.name == "mood" && $0.description.type == .string })
    }

    @Test func allVersionsAreConverted() async throws {
        let run = try CommandRun()
        let result = await run.run("model", "convert", Self.models, "--output", "@M.momd")
        #expect(result.code == 0, "\(result.messages)")
        let versions = try ManagedObjectModel.versions(in: URL(filePath: run.path("M.momd")))
        #expect(versions.map(\.name) == ["TripSchemaV1", "TripSchemaV2"])
        #expect(versions.first(where: \.isCurrent)?.name == "TripSchemaV2")
    }

    /// The new store has the tables of the history before the old one's is copied.
    @Test func aStoreIsMigratedToTheNextSchema() async throws {
        let run = try CommandRun()
        let rows = "name,startDate,mood\nLake,2026-01-01T00:00:00Z,calm\n"
        _ = try run.folder.write(rows, to: "trips.csv")
        var result = await run.run(
            "import", "@trips.csv", "--model", Self.models + "#TripSchemaV1", "--store", "@V1.store", "--entity", "Trip"
        )
        #expect(result.code == 0, "\(result.messages)")
        result = await run.run("store", "migrate", "@V1.store", "--model", Self.models, "--output", "@V2.store")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.messages.contains("Trip  1 kept") || result.output.contains("Trip  1 kept"))
        result = await run.run("store", "check", "@V2.store", "--model", Self.models)
        #expect(result.code == 0, "\(result.messages)")
    }

    @Test(arguments: [
        ("grumpy", "is not one of \"calm\", \"busy\", \"full of surprises\""), ("", "a value is required"),
    ])
    func aValueThatSwiftCannotReadIsRefused(_ mood: String, _ message: String) async throws {
        let run = try CommandRun()
        _ = try run.folder.write("name,startDate,mood\nLake,2026-01-01T00:00:00Z,\(mood)\n", to: "trips.csv")
        let result = await run.run(
            "import", "@trips.csv", "--model", Self.models, "--store", "@S.store", "--entity", "Trip")
        #expect(result.code == 65 && result.messages.contains(message), "\(result.messages)")
    }

    @Test func theSchemasAreCompared() async throws {
        let run = try CommandRun()
        var result = await run.run(
            "model", "diff", Self.models, Self.models, "--schema", "TripSchemaV1", "--schema", "TripSchemaV2")
        #expect(result.code == 1 && result.output.contains("relationship companions: added"), "\(result.messages)")
        result = await run.run("model", "diff", Self.models + "#TripSchemaV2", Self.models)
        #expect(result.code == 0, "\(result.output)\(result.messages)")
        result = await run.run("model", "hash", Self.models, "--schema", "TripSchemaV3")
        #expect(result.code == 65 && result.messages.contains("did you mean"), "\(result.messages)")
    }

    /// Hashes that settle an undecided property, in each form.
    @Test(arguments: ["H.json", "S.lock", "S.store"])
    func expectedHashesComeFromAnyForm(_ name: String) async throws {
        let run = try CommandRun()
        _ = try run.folder.write("@Model class A { var id: Int; var t: [UUID] }", to: "A.swift")
        let decided = ["@A.swift", "--type", "[UUID]=Binary"]
        switch name {
        case "H.json":
            let hashes = await run.run(["model", "hash", "--format", "json"] + decided)
            _ = try run.folder.write(hashes.output, to: name)
        case "S.lock": _ = await run.run(["model", "freeze", "--output", "@" + name] + decided)
        default:
            let create = ["store", "create", "--store", "@" + name, "--model"]
            #expect(await run.run(create + decided).code == 0)
        }
        var result = await run.run("model", "hash", "@A.swift", "--expect", "@" + name)
        #expect(
            result.code == 0 && result.messages.contains("A.t: the expected hash settles it: Binary"),
            "\(result.messages)")
        result = await run.run("model", "hash", "@A.swift")
        #expect(result.code == 65 && result.messages.contains("A.swift:1:35: error: A.t: no known store tells"))
    }
}
