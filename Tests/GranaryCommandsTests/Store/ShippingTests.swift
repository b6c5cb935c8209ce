import Foundation
import GranaryModel
import TestSupport
import Testing

/// `--ship`: one file, which a run without changes leaves alone.
@Suite struct ShippingTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("cover", .binary, .externalStorage), .attribute("isbn", .string, .required),
                .toMany("genres", "Genre", inverse: "books"), .toOne("author", "Author", inverse: "books"),
            ], unique: [["isbn"]]),
        EntityDescription(
            "Genre", [.attribute("name", .string, .required), .toMany("books", "Book", inverse: "genres")],
            unique: [["name"]]),
        EntityDescription(
            "Author", [.attribute("name", .string, .required), .toMany("books", "Book", inverse: "author", .ordered)],
            unique: [["name"]]),
    ])
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(Self.model)
    }

    private func cover(_ count: Int, _ byte: UInt8) -> String {
        Data(repeating: byte, count: count).base64EncodedString()
    }

    private func importing(_ rows: [String], _ options: [String]) async throws -> CommandRun.Result {
        let text = "isbn,genres,author,cover\n" + rows.map { $0 + "\n" }.joined()
        return try await run.importing(
            text, as: "Book.csv", entity: "Book",
            ["--on-missing", "create", "--on-conflict", "update", "--ship"] + options)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: run.path("S.sqlite"))) }

    @Test(
        "A run without changes leaves every byte of the store",
        arguments: [
            [], ["--on-conflict", "skip"], ["--on-conflict", "replace"], ["--prune"], ["--mode", "keep-good"],
        ])
    func unchanged(_ options: [String]) async throws {
        let rows = (0..<300).map { "\($0),a;b\($0 % 7),Author \($0 % 9)," }
        #expect(try await importing(rows, []).code == 0)
        let before = try bytes()
        let date = try FileManager.default.attributesOfItem(atPath: run.path("S.sqlite"))[.modificationDate] as? Date
        for _ in 0..<2 {
            let words = ["import", "@Book.csv", "--store", "@S.sqlite", "--entity", "Book", "--ship"]
            let update = options.contains("--on-conflict") ? [] : ["--on-conflict", "update"]
            let result = await run.run(words + update + options)
            #expect(result.code == 0 && result.ledger.contains("created 0 + updated 0"), "\(result.messages)")
            #expect(try bytes() == before)
        }
        let after = try FileManager.default.attributesOfItem(atPath: run.path("S.sqlite"))[.modificationDate] as? Date
        // A large transaction that is rolled back may write and restore pages; this one is small.
        #expect(date == after)
    }

    @Test("External files are listed, or their values are moved into the store") func external() async throws {
        let rows = ["1,,,\(cover(200_000, 1))", "2,,,\(cover(150_000, 2))", "3,,,\(cover(10, 3))"]
        let files = try await importing(rows, [])
        #expect(files.code == 0 && files.messages.contains("it contains 2 files of external data"), "\(files.messages)")
        let folder = run.path(".S_SUPPORT/_EXTERNAL_DATA")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count == 2 && names.allSatisfy { files.lines.contains("  \(folder)/\($0)") }, "\(files.messages)")
        #expect(files.lines.contains("  help: --external inline keeps the values in the store"))
        let exported = try run.csv("S.sqlite", "Book")
        // The same rows change nothing, and the values move.
        let inline = try await importing(rows, ["--external", "inline"])
        #expect(inline.code == 0 && !inline.messages.contains("external data"), "\(inline.messages)")
        #expect(inline.messages.contains("was only prepared for shipping"), "\(inline.messages)")
        #expect(!run.exists(".S_SUPPORT") && !run.exists("S.sqlite.external"))
        #expect(try run.csv("S.sqlite", "Book") == exported)
        #expect(await run.run("store", "check", "@S.sqlite", "--model", "@Model.json").code == 0)
        // Once more, nothing is written; a new value is moved too.
        let before = try bytes()
        let again = try await importing(rows, ["--external", "inline"])
        #expect(again.messages.contains("S.sqlite was not written"), "\(again.messages)")
        #expect(try bytes() == before)
        let more = try await importing(["4,,,\(cover(300_000, 4))"], ["--external", "inline"])
        #expect(more.code == 0 && !run.exists(".S_SUPPORT"), "\(more.messages)")
        #expect(try run.rows("S.sqlite", "Book", "isbn").count == 4)
    }

    @Test("Dates of earlier runs are a reason to prepare a store, and so is its journal mode") func dates() async throws
    {
        let rows = ["1,,,", "2,,,"]
        let text = "isbn,genres,author,cover\n" + rows.map { $0 + "\n" }.joined()
        let made = try await run.importing(text, as: "Book.csv", entity: "Book")
        #expect(made.code == 0, "\(made.messages)")
        func hasDates() async -> Bool {
            let runs = await run.run("store", "runs", "@S.sqlite", "--format", "json")
            return runs.output.contains("\"date\" : \"")
        }
        #expect(await hasDates())
        let shipped = try await importing(rows, [])
        #expect(shipped.code == 0 && shipped.messages.contains("was only prepared for shipping"), "\(shipped.messages)")
        #expect(await !hasDates())
        let before = try bytes()
        let again = try await importing(rows, [])
        #expect(again.messages.contains("S.sqlite was not written"), "\(again.messages)")
        #expect(try bytes() == before)
        try run.execute("PRAGMA journal_mode = WAL", in: "S.sqlite")
        let log = try await importing(rows, [])
        #expect(log.messages.contains("was only prepared for shipping"), "\(log.messages)")
    }

    @Test("A new store is one file at once, with the same bytes each time") func new() async throws {
        let rows = ["1,,,\(cover(200_000, 1))"]
        var found: Set<Data> = []
        for _ in 0..<2 {
            #expect(try await importing(rows, ["--external", "inline"]).code == 0)
            #expect(try run.names == ["Book.csv", "Model.json", "S.sqlite"])
            found.insert(try bytes())
            try FileManager.default.removeItem(atPath: run.path("S.sqlite"))
        }
        #expect(found.count == 1)
        let wrong = await run.run(
            "import", "@Book.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Book", "--external",
            "inline")
        #expect(wrong.code == 64 && wrong.messages.contains("--external needs --ship"))
    }
}
