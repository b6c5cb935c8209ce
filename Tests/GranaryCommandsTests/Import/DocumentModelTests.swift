import Foundation
import GranaryImport
import GranaryModel
import GranaryRecords
import TestSupport
import Testing

/// `granary import` into a new store without `--model`: the model comes from the document.
@Suite struct DocumentModelTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
    }

    private func export(_ name: String, _ more: [String] = []) async {
        let out = await run.run(
            ["export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@" + name] + more)
        #expect(out.code == 0, "\(out.messages)")
    }

    private func hashes(_ model: String) async -> String { await run.run("model", "hash", "@" + model).output }

    @Test(
        arguments: [
            (["a.json.gz"], ["--as-is"])
        ] as [([String], [String])])
    func `A new store gets the model of the document`(_ words: [String], _ options: [String]) async throws {
        try await check(words, [options])
    }

    /// Exports the store to a file, and imports the file with each of some options into a new store.
    func check(_ words: [String], _ imports: [[String]] = [[], ["--as-is"]]) async throws {
        await export(words[0], Array(words.dropFirst()))
        for options in imports {
            let store = "New\(options.count).sqlite"
            let result = await run.run(["import", "@" + words[0], "--store", "@" + store] + options)
            #expect(result.code == 0, "\(result.messages)")
            #expect(result.ledger == "read 4 = created 4 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
            #expect(await hashes(store) == hashes("Model.json"))
            let diff = await run.run("store", "diff", "@Seed.sqlite", "@" + store)
            #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
        }
    }

    /// The model as a member of a document, in front of the records or after them.
    private func document(isFirst: Bool, _ model: ManagedObjectModel = CommandRun.model) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(model), as: UTF8.self)
        let records = #""entities": {"Injury": [{"$id": "Injury/p1", "key": 0, "name": "Burn"}]}"#
        return isFirst ? "{\"model\": \(text), \(records)}" : "{\(records), \"model\": \(text)}"
    }

    @Test(arguments: [false])
    func `The model can be before and after the records`(_ isFirst: Bool) async throws {
        _ = try run.folder.write(try document(isFirst: isFirst), to: "in.json")
        let result = await run.run("import", "@in.json", "--store", "@New.sqlite")
        #expect(result.code == 0, "\(result.messages)")
        #expect(await hashes("New.sqlite") == hashes("Model.json"))
        let source = ImportSource.file(URL(filePath: run.path("in.json")))
        let found = try source.model()
        #expect(found == CommandRun.model)
    }

    @Test func `A plan creates a store from a document`() async throws {
        await export("seed.json")
        _ = try run.folder.write("store: New.sqlite\nimports:\n  - file: seed.json\n", to: "seed.yaml")
        let result = await run.run("seed", "@seed.yaml")
        #expect(result.code == 0, "\(result.messages)")
        #expect(await hashes("New.sqlite") == hashes("Model.json"))
    }

    @Test func `The model of an existing store has precedence`() async throws {
        var other = CommandRun.model
        other.entities[1].attributes.removeAll { $0.name == "age" }
        _ = try run.folder.write(try document(isFirst: true, other), to: "in.json")
        let create = await run.run("store", "create", "--model", "@Model.json", "--store", "@New.sqlite")
        #expect(create.code == 0)
        let result = await run.run("import", "@in.json", "--store", "@New.sqlite")
        #expect(result.code == 0, "\(result.messages)")
        #expect(await hashes("New.sqlite") == hashes("Model.json"))
    }

    @Test func `Documents with different models are refused`() async throws {
        var other = CommandRun.model
        other.entities[1].attributes.removeAll { $0.name == "age" }
        _ = try run.folder.write(try document(isFirst: false), to: "a.json")
        _ = try run.folder.write(try document(isFirst: true, other), to: "b.json")
        let result = await run.run("import", "@a.json", "@b.json", "--store", "@New.sqlite")
        #expect(result.code == 65 && result.messages.contains("contain different models"), "\(result.messages)")
        #expect(!run.exists("New.sqlite"))
    }

    @Test(
        arguments: [
            (#"{"entities": {"Injury": []}}"#, 64, "no source contains a model"),
            (#"{"model": {"entities": [], "inferred": true}, "entities": {}}"#, 65, "was inferred"),
        ] as [(String, Int32, String)])
    func `A document without a usable model is refused`(_ text: String, _ code: Int32, _ message: String) async throws {
        _ = try run.folder.write(text, to: "in.json")
        let result = await run.run("import", "@in.json", "--store", "@New.sqlite", "--entity", "Injury")
        #expect(result.code == code && result.messages.contains(message), "\(result.messages)")
        #expect(code == 64 || result.ledger.hasPrefix("read 0 = "))
        #expect(!run.exists("New.sqlite"))
    }

    @Test func `The sidecar of an interrupted export is named, and not the model`() async throws {
        await export("a.json")
        _ = try run.folder.write(
            "{\"granarySidecar\": 1, \"incomplete\": true, \"files\": {}}", to: "a.json.granary.json")
        let result = await run.run("import", "@a.json", "--store", "@New.sqlite")
        #expect(result.code == 65 && result.messages.contains("an export was interrupted"), "\(result.messages)")
        #expect(!result.messages.contains("a model is needed") && !run.exists("New.sqlite"), "\(result.messages)")
    }

    @Test func `A folder of CSV files needs a model`() async throws {
        await export("all/", ["--format", "csv"])
        let result = await run.run("import", "@all/Injury.csv", "@all/Patient.csv", "--store", "@New.sqlite")
        #expect(result.code == 64 && result.messages.contains("csv files carry no model; add --model"))
    }
}

@Suite struct DocumentModelLongTests {
    @Test(arguments: [
        ["a.json"], ["a.json.gz"], ["a.plist"], ["b.plist", "--plist-encoding", "binary"],
        ["c.json", "--reference", "id"],
    ])
    func `A new store gets the model of the document`(_ words: [String]) async throws {
        try await DocumentModelTests().check(words)
    }

    @Test(
        arguments: [
            (#"[{"key": 0, "name": "Burn"}]"#, 64, "no source contains a model"),
            (#"{"model": {"entities": 5}, "entities": {"Injury": []}}"#, 65, "its model cannot be read"),
            (#"{"model": {"entities": [{}]}, "entities": {"Injury": []}}"#, 65, "its model cannot be read"),
            (#"{"entities": {"Injury": [}}"#, 65, "json.syntax"),
            ("", 65, "json.syntax"),
        ] as [(String, Int32, String)])
    func `A document without a usable model is refused`(_ text: String, _ code: Int32, _ message: String) async throws {
        try await DocumentModelTests().`A document without a usable model is refused`(text, code, message)
    }

    @Test func `The model can be before the records`() async throws {
        try await DocumentModelTests().`The model can be before and after the records`(true)
    }
}
