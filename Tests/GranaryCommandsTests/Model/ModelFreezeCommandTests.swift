import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// `granary model freeze`, with versions of Xcode and with Swift sources.
struct ModelFreezeCommandTests {
    @Test func versionsOfXcodeAreFrozen() async throws {
        let run = try CommandRun()
        try ModelVersionsCommandTests.write(ModelVersionsCommandTests.shop, in: run)
        var result = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock", "--version", "Shop")
        #expect(result.code == 0 && result.output.hasPrefix("Shop  frozen  "), "\(result.messages)")
        result = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock", "--check")
        #expect(result.code == 0 && result.output.contains("Shop 2  not frozen"), "\(result.messages)")
        // Freezing again adds the others.
        result = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock")
        #expect(result.code == 0 && result.output.contains("Shop 10  frozen"), "\(result.messages)")
        let text = try run.text("S.lock")
        var changed = ModelVersionsCommandTests.shop
        changed[0].model.entities[0].attributes[0].isOptional = false
        try FileManager.default.removeItem(atPath: run.path("Shop.xcdatamodeld"))
        try ModelVersionsCommandTests.write(changed, in: run)
        for arguments in [[], ["--check"]] {
            result = await run.run(["model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock"] + arguments)
            #expect(result.code == 1)
            let change =
                "Shop.xcdatamodeld/Shop.xcdatamodel/contents:4:9: error: Person.name: Shop is frozen: optional: yes -> none"
            #expect(result.messages.contains(change), "\(result.messages)")
            #expect(try run.text("S.lock") == text)
        }
        result = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock", "--force")
        #expect(result.code == 0)
        #expect(try run.text("S.lock") != text)
    }

    @Test func aMissingLockIsAnErrorOfTheCheck() async throws {
        let run = try CommandRun()
        try ModelVersionsCommandTests.write(ModelVersionsCommandTests.shop, in: run)
        let result = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock", "--check")
        #expect(result.code == 66, "\(result.messages)")
        let both = await run.run("model", "freeze", "@Shop.xcdatamodeld", "--output", "@S.lock", "--check", "--force")
        #expect(both.code == 64)
    }

    private static let models = SwiftDataSample.models

    @Test(.enabled(if: SwiftDataSample.isToolThere, "\(SwiftDataSample.absence)"))
    func aChangeOfSwiftSourcesHasItsPlace() async throws {
        let run = try CommandRun()
        try FileManager.default.copyItem(atPath: Self.models, toPath: run.path("Models"))
        let lock = Samples.root.appending(path: "Trips/Schemas.lock").path(percentEncoded: false)
        var result = await run.run("model", "freeze", "@Models", "--output", lock, "--check")
        #expect(result.code == 0, "\(result.messages)")
        let values = run.path("Models/Values.swift")
        let text = try String(contentsOfFile: values, encoding: .utf8)
        try text.replacing("var latitude: Double", with: "var latitude: Float").write(
            toFile: values, atomically: true, encoding: .utf8)
        result = await run.run("model", "freeze", "@Models", "--output", lock, "--check")
        #expect(result.code == 1)
        #expect(result.messages.contains("TripSchemaV2.swift:32:13: error: Stop.location: TripSchemaV2 is frozen: "))
        #expect(result.messages.contains(".latitude: Double optional -> Float optional"), "\(result.messages)")
    }

    /// A store of a released version stands in for a lock, and `store info` names its schema.
    @Test(.enabled(if: SwiftDataSample.isToolThere, "\(SwiftDataSample.absence)"))
    func aStoreStandsInForALock() async throws {
        let run = try CommandRun()
        try FileManager.default.copyItem(atPath: Self.models, toPath: run.path("Models"))
        var result = await run.run(
            "store", "create", "--store", "@V1.store", "--model", "@Models", "--schema", "TripSchemaV1")
        #expect(result.code == 0, "\(result.messages)")
        result = await run.run("model", "freeze", "@Models", "--output", "@V1.store", "--check")
        #expect(result.code == 0 && result.output.hasPrefix("TripSchemaV1  is the version of"), "\(result.messages)")
        result = await run.run("store", "info", "@V1.store", "--model", "@Models")
        #expect(result.code == 0 && result.output.hasPrefix("written by TripSchemaV1\n"), "\(result.messages)")
        let source = run.path("Models/TripSchemaV1.swift")
        let text = try String(contentsOfFile: source, encoding: .utf8)
        try text.replacing("var nights: Int = 1", with: "var nights: Int16 = 1").write(
            toFile: source, atomically: true, encoding: .utf8)
        result = await run.run("model", "freeze", "@Models", "--output", "@V1.store", "--check")
        #expect(result.code == 1)
        #expect(
            result.messages.contains(
                "TripSchemaV1.swift:27:13: error: Stop.nights: TripSchemaV1 is frozen: type: Integer 64"),
            "\(result.messages)")
    }
}
