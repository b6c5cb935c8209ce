import Foundation
import TestSupport
import Testing

/// `--html` of `store check`, `store diff`, `subset` and `generate`.
@Suite struct StorePageTests {
    private let run: CommandRun
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path

    init() throws { run = try CommandRun() }

    private func seed(_ name: String) async throws {
        let plan = Samples.url("Triage/seed.yaml").path
        let result = await run.run("seed", plan, "--set", "STORE=\(run.path(name))")
        #expect(result.code == 0, "\(result.messages)")
    }

    /// A name with markup, which an import takes as it is.
    private func addResponder(_ name: String, to store: String) async throws {
        _ = try run.folder.write("badge,name\nZ-1,\(name)\n", to: "one.csv")
        let result = await run.run(
            "import", "@one.csv", "--entity", "Responder", "--store", store, "--on-conflict", "update")
        #expect(result.code == 0, "\(result.messages)")
    }

    @Test func thePageOfAComparisonHasObjectsByEntity() async throws {
        try await seed("A.sqlite")
        try await seed("B.sqlite")
        let equal = await run.run("store", "diff", "@A.sqlite", "@B.sqlite", "--html", "@d.html")
        #expect(equal.code == 0)
        #expect(try run.text("d.html").contains("<strong>equal</strong>"))
        try await addResponder("<script>alert(1)</script>", to: "@B.sqlite")
        let words = ["store", "diff", "@A.sqlite", "@B.sqlite", "--html", "@d.html"]
        #expect(await run.run(words).code == 73)
        #expect(await run.run(words + ["--force"]).code == 1)
        var page = try run.text("d.html")
        #expect(page.contains("<h3>Only in B: 1</h3>") && !page.contains("<script>"), "\(page)")
        try await addResponder("Ann", to: "@A.sqlite")
        #expect(await run.run(words + ["--force"]).code == 1)
        page = try run.text("d.html")
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("<td>&quot;Ann&quot;</td>"))
        #expect(await run.run("store", "diff", "@A.sqlite", "@B.sqlite", "--html", "-").code == 64)
        #expect(await run.run("store", "diff", "@A.sqlite", "@B.sqlite", "--html", "@B.sqlite", "--force").code == 64)
    }

    @Test func thePageOfACheckHasFindingsByRule() async throws {
        try await seed("Seed.sqlite")
        let sound = await run.run("store", "check", "@Seed.sqlite", "--html", "@c.html")
        #expect(sound.code == 0)
        #expect(try run.text("c.html").contains("Nothing was found."))
        try run.execute(
            "UPDATE ZPATIENT SET ZAGE = -4 WHERE Z_PK < 30; UPDATE ZPATIENT SET ZINJURY = 99 WHERE Z_PK = 4")
        let found = await run.run("store", "check", "@Seed.sqlite", "--html", "@c.html", "--force")
        #expect(found.code == 1)
        let page = try run.text("c.html")
        #expect(page.contains("The store has errors.") && page.contains("relationship.notFound"))
        #expect(page.contains("and 19 more"), "\(page)")
    }

    @Test func thePageOfASubsetHasItsReport() async throws {
        try await seed("Seed.sqlite")
        let result = await run.run(
            "subset", "@Seed.sqlite", "--from", "Patient WHERE age > 60", "--anonymise", "Patient.name", "--output",
            "@T.sqlite", "--html", "@s.html")
        #expect(result.code == 0, "\(result.messages)")
        let page = try run.text("s.html")
        #expect(page.contains("Patient.name") && page.contains("Links that were cut"))
        let again = await run.run(
            "subset", "@Seed.sqlite", "--from", "Patient", "--output", "@U.sqlite", "--html", "@s.html")
        #expect(again.code == 73 && !FileManager.default.fileExists(atPath: run.path("U.sqlite")))
    }

    @Test func thePageOfAGenerationHasItsOutcome() async throws {
        let result = await run.run(
            "generate", "--model", model, "--store", "@G.sqlite", "--count", "Injury=7", "--html", "@g.html")
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.text("g.html").contains("7 objects generated"))
    }
}
