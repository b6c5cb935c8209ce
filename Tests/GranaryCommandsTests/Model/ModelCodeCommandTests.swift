import Foundation
import GranaryModel
import TestSupport
import Testing

struct ModelCodeCommandTests {
    /// `CommandRun.model` with classes for its entities.
    private static let model: ManagedObjectModel = {
        var model = CommandRun.model
        model.entities[0].managedObjectClassName = "Injury"
        model.entities[1].managedObjectClassName = ".Patient"
        return model
    }()

    @Test func twoFiles() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        var result = await run.run("model", "code", "@Model.json", "--output", "@Code")
        #expect(result.code == 0 && result.output.isEmpty)
        #expect(result.messages.hasSuffix(": 5 files written, 0 unchanged, 0 of yours kept\n"), "\(result.messages)")
        let names = try FileManager.default.contentsOfDirectory(atPath: run.path("Code")).sorted()
        #expect(
            names
                == ["Injury.swift", "Model+Classes.swift", "Patient.swift", "_Injury.swift", "_Patient.swift"].sorted())
        #expect(try run.text("Code/_Patient.swift").contains("    var injury: Injury? {"))
        #expect(try !run.text("Code/Patient.swift").contains("validateName"))

        result = await run.run("model", "code", "@Model.json", "--output", "@Code")
        #expect(result.messages.hasSuffix(": 0 files written, 3 unchanged, 2 of yours kept\n"), "\(result.messages)")
    }

    @Test func single() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let result = await run.run(
            "model", "code", "@Model.json", "--output", "@Code", "--single", "--access", "public")
        #expect(result.code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.path("Code")) == ["Model+Classes.swift"])
        #expect(try run.text("Code/Model+Classes.swift").contains("open class Patient: ManagedObject {"))
    }

    @Test func chosenMembers() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        var result = await run.run(
            "model", "code", "@Model.json", "--output", "@Code", "--entity", "Patient", "--primitives", "--validation")
        #expect(result.code == 0, "\(result.messages)")
        let names = try FileManager.default.contentsOfDirectory(atPath: run.path("Code"))
        #expect(Set(names) == ["Model+Classes.swift", "Patient.swift", "_Patient.swift"])
        #expect(try run.text("Code/_Patient.swift").contains("    var primitiveName: String? {"))
        #expect(try run.text("Code/_Patient.swift").contains("    var injury: ManagedObject? {"))
        #expect(try run.text("Code/Patient.swift").contains("    func validateName(_ value: String?) throws {"))

        result = await run.run("model", "code", "@Model.json", "--output", "@Other", "--entity", "Pateint")
        #expect(result.code == 65 && !run.exists("Other"))
        #expect(result.messages.contains("there is no entity \"Pateint\"; did you mean \"Patient\"?"))
        result = await run.run("model", "code", "@Model.json", "--output", "@Other", "--single", "--validation")
        #expect(result.code == 64 && !run.exists("Other"))
    }

    @Test func notes() async throws {
        let run = try CommandRun()
        var model = Self.model
        model.entities[0].managedObjectClassName = "2Fast"
        model.entities[1].managedObjectClassName = nil
        try run.writeModel(model)
        let result = await run.run("model", "code", "@Model.json", "--output", "@Code")
        #expect(result.code == 0)
        #expect(
            result.lines.prefix(2) == [
                "note: Injury: the class 2Fast is named _2Fast in Swift",
                "note: Patient: the model names no class; its objects are of the class ManagedObject",
            ])
    }

    @Test func problems() async throws {
        let run = try CommandRun()
        try Data("{\"entities\": 3}".utf8).write(to: URL(filePath: run.path("Model.json")))
        #expect(await run.run("model", "code", "@Model.json", "--output", "@Code").code == 65)
        #expect(!run.exists("Code"))
        #expect(await run.run("model", "code", "@Model.json").code == 64)
        #expect(await run.run("model", "code", "@Missing.json", "--output", "@Code").code == 66)
        try run.writeModel(Self.model, to: "Good.json")
        _ = try run.folder.write("x", to: "File")
        #expect(await run.run("model", "code", "@Good.json", "--output", "@File").code == 73)
    }
}
