import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Stores whose indexes of links are missing, such as stores with join tables of an older name.
@Suite struct MissingIndexTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Place",
            [
                .attribute("n", .integer32), .toMany("near", "Place", inverse: "near"),
                .toMany("tags", "Tag", inverse: "places"), .toMany("items", "Item", inverse: "place"),
            ]),
        EntityDescription("Tag", [.attribute("n", .integer32), .toMany("places", "Place", inverse: "tags")]),
        EntityDescription("Item", [.attribute("n", .integer32), .toOne("place", "Place", inverse: "items")]),
    ])

    @Test("An export has the same links without the indexes")
    func exports() async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let places = (1...40).map { key in
            #"{"$id":"Place/p\#(key)","n":\#(key),"near":["Place/p\#(41 - key)"],"#
                + #""tags":["Tag/p\#(key % 5 + 1)","Tag/p\#(key % 3 + 6)"]}"#
        }
        let tags = (1...8).map { #"{"$id":"Tag/p\#($0)","n":\#($0)}"# }
        let items = (1...60).map { #"{"$id":"Item/p\#($0)","n":\#($0),"place":"Place/p\#($0 % 40 + 1)"}"# }
        _ = try run.folder.write(
            #"{"entities":{"Place":[\#(places.joined(separator: ","))],"Tag":[\#(tags.joined(separator: ","))],"#
                + #""Item":[\#(items.joined(separator: ","))]}}"#, to: "d.json")
        let made = await run.run("import", "@d.json", "--model", "@Model.json", "--store", "@Seed.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
        let whole = await run.run("export", "--store", "@Seed.sqlite", "--output", "@a.json")
        #expect(whole.code == 0, "\(whole.messages)")
        let connection = try Connection(path: run.path("Seed.sqlite"), mode: .readOnly)
        let names = try connection.schema().filter { $0.type == "index" && !$0.name.hasPrefix("sqlite_") }.map(\.name)
        try connection.close()
        #expect(names.count >= 3)
        try run.execute(names.map { "DROP INDEX \"\($0)\"" }.joined(separator: ";"))
        let bare = await run.run("export", "--store", "@Seed.sqlite", "--output", "@b.json")
        #expect(bare.code == 0, "\(bare.messages)")
        #expect(try run.text("a.json") == run.text("b.json"))
        #expect(try run.text("a.json").contains("Place/p40"))
    }
}
