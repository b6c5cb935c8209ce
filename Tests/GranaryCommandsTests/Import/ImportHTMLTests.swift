import Foundation
import GranaryModel
import TestSupport
import Testing

/// `--html` of `import` and `seed`.
struct ImportHTMLTests {
    @Test func thePageIsWrittenAlsoIfTheImportIsRefused() async throws {
        let run = try CommandRun()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("P", [.attribute("n", .integer16)])]))
        _ = try run.folder.write("n\n1\nx\n", to: "P.csv")
        let words = ["import", "@P.csv", "--model", "@Model.json", "--store", "@S.sqlite"]
        var result = await run.run(words + ["--html", "@r.html"])
        #expect(result.code == 65)
        var page = try run.text("r.html")
        #expect(page.contains("Nothing was imported") && page.contains("<mark>x</mark>"), "\(page)")
        result = await run.run(words + ["--html", "@r.html", "--mode", "keep-good", "--rejects", "@x.csv"])
        #expect(result.code == 73, "\(result.messages)")
        result = await run.run(words + ["--html", "@r.html", "--force", "--mode", "keep-good", "--rejects", "@x.csv"])
        page = try run.text("r.html")
        #expect(page.contains("Everything is stored.") && page.contains("x.csv"), "\(page)")
        #expect(await run.run(words + ["--html", "-", "--report", "-"]).code == 64)
        #expect(await run.run(words + ["--html", "@P.csv"]).code == 64)
    }

    @Test func aPlanHasThePathOfThePage() async throws {
        let run = try CommandRun()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("P", [.attribute("n", .integer16)])]))
        _ = try run.folder.write("n\n1\n", to: "P.csv")
        _ = try run.folder.write(
            "model: Model.json\nstore: S.sqlite\nhtml: r.html\nimports: [{file: P.csv}]\n", to: "plan.yaml")
        #expect(await run.run("seed", "@plan.yaml").code == 0)
        #expect(try run.text("r.html").contains("created"))
    }
    /// One of the two would be lost.
    @Test(arguments: ["r.html", "-"])
    func theReportAndThePageAreTwoFiles(_ path: String) async throws {
        let run = try CommandRun()
        try run.writeModel(ManagedObjectModel(entities: [EntityDescription("P", [.attribute("n", .integer16)])]))
        _ = try run.folder.write("n\n1\n", to: "P.csv")
        _ = try run.folder.write(
            "model: Model.json\nstore: S.sqlite\nhtml: '\(path)'\nreport: '\(path)'\nimports: [{file: P.csv}]\n",
            to: "plan.yaml")
        #expect(await run.run("seed", "@plan.yaml").code == 64)
        #expect(!FileManager.default.fileExists(atPath: run.path("S.sqlite")))
    }
}
