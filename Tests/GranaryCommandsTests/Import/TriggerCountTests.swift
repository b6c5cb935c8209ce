import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Values of attributes that a store's triggers count (`NSTriggerKey` in the user info).
@Suite struct TriggerCountTests {
    private static let model: ManagedObjectModel = {
        var person = EntityDescription(
            "Person",
            [.attribute("name", .string), .attribute("count", .integer32), .toMany("faces", "Face", inverse: "person")])
        person.attributes[1].userInfo["NSTriggerKey"] = .string("faces.hidden == NO")
        return ManagedObjectModel(entities: [
            EntityDescription(
                "Face", [.attribute("hidden", .boolean), .toOne("person", "Person", inverse: "faces")]), person,
        ])
    }()

    @Test("An import warns that the store may replace the values; a restored export keeps them")
    func given() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let warning =
            "Person.count: the triggers of a SQLite store count it (NSTriggerKey) and may replace the given values"
        let rows = "name,count\nAnn,77\nBob,\n"
        let made = try await run.importing(rows, as: "p.csv", entity: "Person")
        #expect(made.code == 0)
        #expect(made.messages.contains(warning), "\(made.messages)")
        try run.execute("UPDATE ZPERSON SET ZCOUNT = 9 WHERE ZNAME = 'Ann'", in: "S.sqlite")
        let out = await run.run("export", "--store", "@S.sqlite", "--output", "@e.json")
        #expect(out.code == 0, "\(out.messages)")
        let restored = await run.run(
            "import", "@e.json", "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(restored.code == 0 && !restored.messages.contains("NSTriggerKey"), "\(restored.messages)")
        let same = await run.run("store", "diff", "@S.sqlite", "@New.sqlite")
        #expect(same.code == 0, "\(same.output)")
    }
}
