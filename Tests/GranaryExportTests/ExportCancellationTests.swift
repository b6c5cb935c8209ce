import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import SeedingTestSupport

struct ExportCancellationTests {
    @Test("A cancelled export leaves no file and does not change an existing one")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [EntityDescription("Thing", [.attribute("name", .string)])])
        let store = try SQLiteStore.openOrCreate(
            path: folder.url.appending(path: "Store.sqlite").path, schema: try model.resolved())
        var batch = RowBatch()
        _ = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 1)
        try store.transaction { try $0.insert(batch) }
        var options = ExportOptions()
        let cancellation = Cancellation()
        cancellation.cancel()
        options.cancellation = cancellation
        let old = try folder.write("old", to: "out.json")
        let error = #expect(throws: GranaryError.self) {
            _ = try Exporter(options: options).run(
                store, into: JSONWriter(try ByteOutput.file(old.path, replacing: true), options: .init()))
        }
        #expect(error?.code == .interrupted)
        #expect(try String(contentsOf: old, encoding: .utf8) == "old")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                "Store.sqlite", "out.json",
            ])
    }

    @Test("A cancelled revert does not change the store and can be repeated")
    func revert() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [EntityDescription("Thing", [.attribute("name", .string)])])
        let schema = try model.resolved()
        let store = try SQLiteStore.openOrCreate(path: folder.url.appending(path: "Store.sqlite").path, schema: schema)
        try store.transaction(recording: "run-1") { writer in
            var batch = RowBatch()
            _ = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 1)
            try writer.insert(batch)
            try writer.recordRun(
                GranaryCoordination.ImportRun(id: "run-1", counts: .init(), sources: [], isRevertible: true))
        }
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.revert(path: folder.url.appending(path: "Store.sqlite").path, cancellation: cancellation)
        }
        #expect(error?.code == .interrupted)
        #expect(try store.count(entity: 0) == 1)
        _ = try SQLiteStore.revert(path: folder.url.appending(path: "Store.sqlite").path)
        #expect(
            try SQLiteStore.open(path: folder.url.appending(path: "Store.sqlite").path, schema: schema, readOnly: true)
                .count(entity: 0) == 0)
    }
}

/// Keys that differ only by Unicode normalisation are two keys.
struct NormalisedKeyTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    @Test("A Transformable keeps both keys")
    func transformable() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("T", [.attribute("t", .transformable)])])
        let json = "[{\"t\":{\"\(Self.decomposed)\":2,\"\(Self.composed)\":1}}]"
        let run = try TestImport.json(json, "T", model)
        #expect(run.problems == [])
        let text = try ExportSamples.json(run.store, ExportOptions(), shape: .array)
        #expect(text.utf8.split(separator: 0x22).filter { $0.starts(with: Array("caf".utf8)) }.count == 2, "\(text)")
        #expect(try TestImport.json(text, "T", model).problems == [])
        let twice = try TestImport.json("[{\"t\":{\"\(Self.composed)\":1,\"\(Self.composed)\":2}}]", "T", model)
        #expect(twice.problems != [])
    }

    @Test("Columns whose names differ by normalisation are ignored, mapped and refused separately")
    func columns() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("T", [.attribute("a", .string), .attribute("b", .string)])
        ])
        let json = "[{\"\(Self.composed)\":\"1\",\"\(Self.decomposed)\":\"2\"}]"
        let both = try TestImport.json(json, "T", model)
        #expect(both.problems.count == 2, "\(both.problems)")
        let one = try TestImport.json(json, "T", model) { $0.ignoredColumns = [Self.composed] }
        #expect(one.problems.count == 1, "\(one.problems)")
        let mapped = try TestImport.json(json, "T", model) {
            $0.ignoredColumns = [Self.composed]
            $0.columnMap = [Self.decomposed: "b"]
        }
        #expect(mapped.problems == [])
        #expect(try mapped.csv("T", columns: ["a", "b"]) == "a,b\n,2\n")
    }
}
