import Foundation
import TestSupport
import Testing

/// `granary profile`.
@Suite struct ProfileCommandTests {
    private let run: CommandRun
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path

    init() throws { run = try CommandRun() }

    private func succeeds(_ words: String...) async -> CommandRun.Result {
        let result = await run.run(words)
        #expect(result.code == 0, "\(words.first ?? ""): \(result.messages)")
        return result
    }

    @Test func aStoreIsProfiledAsTextJSONAndPage() async throws {
        _ = await succeeds("seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(run.path("Seed.sqlite"))")
        let text = await succeeds("profile", "@Seed.sqlite")
        #expect(text.output.contains("Patient: 300 objects") && text.output.contains("to-one Injury"))
        let json = await succeeds("profile", "@Seed.sqlite", "--format", "json", "--entity", "Patient", "--top", "2")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let entities = try #require(document["entities"] as? [[String: Any]])
        #expect(entities.count == 1 && entities[0]["count"] as? Int == 300)
        _ = await succeeds("profile", "@Seed.sqlite", "--html", "@p.html")
        let page = try run.text("p.html")
        #expect(page.contains("<h3>Patient.age</h3>") && page.contains("<svg"))
        let again = await run.run("profile", "@Seed.sqlite", "--html", "@p.html")
        #expect(again.code == 73)
        _ = await succeeds("profile", "@Seed.sqlite", "--html", "@p.html", "--force")
        let unknown = await run.run("profile", "@Seed.sqlite", "--entity", "Patint")
        #expect(unknown.code == 64 && unknown.messages.contains("Patient"))
        let own = await run.run("profile", "@Seed.sqlite", "--html", "@Seed.sqlite", "--force")
        #expect(own.code == 64, "\(own.messages)")
    }

    @Test func aFileIsProfiledWithAModel() async throws {
        let csv = Samples.url("Triage/patients-with-mistakes.csv").path
        let without = await run.run("profile", csv)
        #expect(without.code == 64 && without.messages.contains("--model"))
        let found = await succeeds("profile", csv, "--model", model, "--entity", "Patient")
        #expect(found.output.contains("Patient:") && !found.output.contains("Injury:"))
        #expect(found.messages.contains("not valid"))
        _ = try run.folder.write(
            "[{\"name\": \"<b>x</b>\", \"badge\": \"E-0011\"}, {\"name\": \"<b>x</b>\", \"badge\": \"E-0012\"}]",
            to: "Responder.json")
        _ = await succeeds("profile", "@Responder.json", "--model", model, "--html", "@r.html")
        let page = try run.text("r.html")
        #expect(page.contains("&lt;b&gt;x&lt;/b&gt;") && !page.contains("<b>"))
        let missing = await run.run("profile", "@none.csv", "--model", model)
        #expect(missing.code == 66)
    }
}
