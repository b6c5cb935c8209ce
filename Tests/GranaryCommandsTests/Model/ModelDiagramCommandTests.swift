import Foundation
import GranaryModel
import TestSupport
import Testing

/// `granary model diagram`.
struct ModelDiagramCommandTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try ModelVersionsCommandTests.write(ModelVersionsCommandTests.shop, in: run)
    }

    @Test(arguments: [("svg", "<svg "), ("mmd", "classDiagram"), ("dot", "digraph "), ("dbml", "Table ")])
    func theNameTellsTheFormat(_ name: String, _ start: String) async throws {
        let words = ["model", "diagram", "@Shop.xcdatamodeld/Shop.xcdatamodel", "--output", "@a.\(name)"]
        let result = await run.run(words)
        #expect(result.code == 0 && result.messages.contains("drew "), "\(result.messages)")
        #expect(try run.text("a.\(name)").hasPrefix(start))
        #expect(await run.run(words).code == 73)
        #expect(await run.run(words + ["--force"]).code == 0)
    }

    @Test func twoModelsAreCompared() async throws {
        let result = await run.run(
            "model", "diagram", "@Shop.xcdatamodeld/Shop.xcdatamodel", "@Shop.xcdatamodeld/Shop 10.xcdatamodel",
            "--output", "-")
        #expect(result.code == 0 && result.output.contains("class=\"changed\""), "\(result.messages)")
        #expect(result.output.contains("the version hashes differ"))
    }

    @Test(arguments: [
        (["--output", "@a.png"], 64, "the name ends with .svg, .mmd, .dot, .dbml"),
        (["--output", "@a.svg", "--depth", "-1"], 64, "--depth"),
        (["--output", "@a.svg", "--around", "Persn"], 65, "did you mean \"Person\"?"),
        (["--output", "@a.mmd", "--graphviz"], 64, "--graphviz is for .svg"),
    ])
    func wrongUse(_ options: [String], _ code: Int32, _ message: String) async throws {
        let result = await run.run(["model", "diagram", "@Shop.xcdatamodeld/Shop.xcdatamodel"] + options)
        #expect(result.code == code && result.messages.contains(message), "\(result.code) \(result.messages)")
    }
}
