import Foundation
import GranaryBase
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Links of a many-to-many from or to objects that do not exist: exports and comparisons show them.
@Suite struct BrokenLinkTests {
    private let run: CommandRun

    init() throws { run = try CommandRun() }

    private static func model(isOrdered: Bool = false) -> ManagedObjectModel {
        let tags: PropertyDescription =
            isOrdered ? .toMany("tags", "Tag", inverse: "items", .ordered) : .toMany("tags", "Tag", inverse: "items")
        return ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("n", .string), tags]),
            EntityDescription("Tag", [.attribute("n", .string), .toMany("items", "Item", inverse: "tags")]),
        ])
    }

    /// Writes `Seed.sqlite` with the items 1 and 2 and the tags 1, 2 and 3. Item 1 has the tags 3, 1 and 2.
    private func writeStore(_ model: ManagedObjectModel = Self.model()) async throws {
        try run.writeModel(model)
        _ = try run.folder.write(
            """
            {"entities":{"Item":[{"$id":"Item/p1","tags":["Tag/p3","Tag/p1","Tag/p2"]},
            {"$id":"Item/p2","tags":["Tag/p2"]}],"Tag":[{"$id":"Tag/p1"},{"$id":"Tag/p2"},{"$id":"Tag/p3"}]}}
            """, to: "d.json")
        let made = await run.run("import", "@d.json", "--model", "@Model.json", "--store", "@Seed.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
    }

    private func links(_ store: String, _ columns: String = "*") throws -> [String] {
        let connection = try Connection(path: run.path(store), mode: .readOnly)
        let table = try #require(
            try connection.schema().first { $0.type == "table" && $0.name.contains(/^Z_\d+[A-Z]/) }?.name)
        let statement = try connection.prepare("SELECT \(columns) FROM \(table) ORDER BY 1, 2")
        var found: [String] = []
        while try statement.step() {
            found.append((0..<statement.columnCount).map { "\(statement.integer(at: $0))" }.joined(separator: " "))
        }
        return found
    }

    private func export(_ path: String, _ more: String...) async -> CommandRun.Result {
        await run.run(["export", "--store", "@Seed.sqlite", "--output", "@" + path] + more)
    }

    /// Restores an export and compares the stores and the rows of their join tables.
    private func expectRestored(_ file: String) async throws {
        let again = await run.run("import", "@" + file, "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        #expect(again.messages.contains("there is no object Tag/p2; the reference is kept"), "\(again.messages)")
        #expect(try links("New.sqlite") == links("Seed.sqlite"))
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
    }

    @Test(arguments: zip([true], ["a.json"]))
    func `Links to a missing object are exported and restored`(_ isOrdered: Bool, _ file: String) async throws {
        try await writeStore(Self.model(isOrdered: isOrdered))
        try run.execute("DELETE FROM ZTAG WHERE Z_PK = 2")
        let out = await export(file)
        #expect(out.code == 0 && !out.messages.contains("warning"), "\(out.messages)")
        if file == "a.json" {
            let list = isOrdered ? #""Tag/p3","Tag/p1","Tag/p2""# : #""Tag/p1","Tag/p2","Tag/p3""#
            let text = try run.text(file)
            #expect(text.contains(#""tags":[\#(list)]"#), "\(text)")
        }
        try await expectRestored(file)
    }

    func `Nested objects do not hide a link to a missing object`() async throws {
        try await writeStore()
        try run.execute("DELETE FROM ZTAG WHERE Z_PK = 2")
        let out = await export("a.json", "--nested", "tags")
        #expect(out.code == 0, "\(out.messages)")
        let text = try run.text("a.json")
        #expect(text.contains("Tag/p2"), "\(text)")
        try await expectRestored("a.json")
    }

    @Test func `A reference by key to a missing object says how to write it`() async throws {
        var model = Self.model()
        model.entities[1].uniquenessConstraints = [["n"]]
        try await writeStore(model)
        try run.execute("UPDATE ZTAG SET ZN = 'x' || Z_PK; DELETE FROM ZTAG WHERE Z_PK = 2")
        let out = await export("a.json", "--reference", "key")
        #expect(out.code == 65, "\(out.messages)")
        #expect(out.messages.contains("refers to Tag/p2, which is not in the store"), "\(out.messages)")
        #expect(out.messages.contains("help: --reference id"), "\(out.messages)")
        #expect(await export("a.json", "--reference", "id").code == 0)
    }

    func `Links of a missing object are counted`() async throws {
        try await writeStore()
        let whole = await run.run("subset", "--store", "@Seed.sqlite", "--output", "@Whole.sqlite", "--from", "Item")
        #expect(whole.code == 0, "\(whole.messages)")
        try run.execute("DELETE FROM ZITEM WHERE Z_PK = 1")
        let out = await export("a.json")
        #expect(out.code == 0, "\(out.messages)")
        #expect(
            out.messages.contains("warning: Item.tags: 3 links of objects that do not exist were not exported"),
            "\(out.messages)")
        let again = await run.run("import", "@a.json", "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite")
        #expect(diff.code == 1, "\(diff.output)\(diff.messages)")
        #expect(
            diff.output.contains("Item.tags: different links of objects that do not exist: 3 in A, 0 in B"),
            "\(diff.output)")
        let json = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite", "--format", "json")
        #expect(json.output.contains(#"{"entity": "Item", "property": "tags", "a": 3, "b": 0}"#), "\(json.output)")
    }

    @Test func `A comparison sees other links of the same number`() async throws {
        try await writeStore()
        try FileManager.default.copyItem(atPath: run.path("Seed.sqlite"), toPath: run.path("B.sqlite"))
        try run.execute("DELETE FROM ZITEM WHERE Z_PK = 2")
        let b = try Connection(path: run.path("B.sqlite"), mode: .readWrite)
        try b.execute("DELETE FROM ZITEM WHERE Z_PK = 2")
        try b.close()
        #expect(await run.run("store", "diff", "@Seed.sqlite", "@B.sqlite").code == 0)
        try run.execute("UPDATE Z_1TAGS SET Z_2TAGS = 3 WHERE Z_1ITEMS = 2")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@B.sqlite")
        #expect(diff.code == 1 && diff.output.contains("1 in A, 1 in B"), "\(diff.output)\(diff.messages)")
    }

    @Test func `A subset leaves such links out and counts them`() async throws {
        try await writeStore()
        try run.execute("DELETE FROM ZTAG WHERE Z_PK = 2")
        let out = await run.run(
            "subset", "--store", "@Seed.sqlite", "--output", "@Part.sqlite", "--from", "Item", "--depth", "1")
        #expect(out.code == 0, "\(out.messages)")
        #expect(
            out.messages.contains("warning: Item.tags: 2 links to objects that do not exist were not copied"),
            "\(out.messages)")
        #expect(try links("Part.sqlite").count == 2)
        #expect(await run.run("store", "check", "@Part.sqlite").code == 0)
    }

    /// Both directions of a link are rows, so the one that leads from the missing object is not lost.
    func `A relationship that is its own inverse is restored`() async throws {
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "Person", [.attribute("n", .string), .toMany("friends", "Person", inverse: "friends")])
            ]))
        _ = try run.folder.write(
            """
            {"entities":{"Person":[{"$id":"Person/p1","friends":["Person/p2"]},{"$id":"Person/p2","friends":["Person/p1"]},
            {"$id":"Person/p3","friends":[]}]}}
            """, to: "d.json")
        let made = await run.run("import", "@d.json", "--model", "@Model.json", "--store", "@Seed.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
        try run.execute("DELETE FROM ZPERSON WHERE Z_PK = 2")
        let out = await export("a.json")
        #expect(out.code == 0 && !out.messages.contains("warning"), "\(out.messages)")
        let text = try run.text("a.json")
        #expect(text.contains(#""friends":["Person/p2"]"#), "\(text)")
        let again = await run.run("import", "@a.json", "--model", "@Model.json", "--store", "@New.sqlite", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        #expect(try links("New.sqlite") == links("Seed.sqlite"))
        #expect(await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite").code == 0)
    }

    @Test func `Members of a missing owner without an inverse are counted`() async throws {
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription("Box", [.attribute("n", .string), .toMany("parts", "Part", inverse: nil)]),
                EntityDescription("Part", [.attribute("n", .string)]),
            ]))
        _ = try run.folder.write(
            """
            {"entities":{"Box":[{"$id":"Box/p1","parts":["Part/p1"]},{"$id":"Box/p2","parts":["Part/p2"]}],
            "Part":[{"$id":"Part/p1"},{"$id":"Part/p2"}]}}
            """, to: "d.json")
        let made = await run.run("import", "@d.json", "--model", "@Model.json", "--store", "@Seed.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
        try run.execute("DELETE FROM ZBOX WHERE Z_PK = 2")
        let out = await export("a.json")
        #expect(
            out.code == 0
                && out.messages.contains("Box.parts: 1 link of objects that do not exist was not exported"),
            "\(out.messages)")
    }
}
