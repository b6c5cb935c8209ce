import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Values in files beside an export.
struct ValueFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Photo",
            [
                .attribute("data", .binary, .externalStorage), .attribute("plain", .binary),
                .attribute("shape", .transformable, .externalStorage), .attribute("name", .string),
            ])
    ])

    private func store() throws -> InMemoryStore {
        let store = try ExportSamples.store(Self.model)
        let list = try AttributeTransformer.secureUnarchiveFromData.encode(["x"])
        try ExportSamples.insert(
            "Photo", 1,
            [
                "data": .binary(TestBytes.varied(70_000)), "plain": .binary(Data([1])),
                "shape": .binary(list),
            ], into: store)
        try ExportSamples.insert("Photo", 2, ["data": .binary(Data())], into: store)
        try ExportSamples.insert("Photo", 3, into: store)
        return store
    }

    private var options: ExportOptions {
        var options = ExportOptions()
        options.blobs = .files
        options.entities = ["Photo"]
        return options
    }

    private func imported(_ file: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        let again = try ExportSamples.store(Self.model)
        let source = ImportSource.file(path: path(file), options: SourceOptions())
        let report = try Importer(entity: "Photo", from: source, options: options).run(into: again)
        return TestImport(store: again, report: report)
    }

    @Test(arguments: [
        ("out/", DataFormat.csv, "out/Photo.csv", "out/blobs"), ("out/", .json, "out/Photo.json", "out/blobs"),
        ("out/", .ndjson, "out/Photo.ndjson", "out/blobs"), ("out/", .plist, "out/Photo.plist", "out/blobs"),
        ("photo.csv", .csv, "photo.csv", "photo.csv.blobs"), ("photo.json", .json, "photo.json", "photo.json.blobs"),
        ("photo.tsv.gz", .tsv, "photo.tsv.gz", "photo.tsv.gz.blobs"),
    ])
    func valuesComeBack(_ output: String, _ format: DataFormat, _ file: String, _ values: String) throws {
        let store = try store()
        _ = try Exporter(options: options).run(store, to: .path(path(output), format: format, replacing: false))
        let names = try FileManager.default.subpathsOfDirectory(atPath: path(values)).sorted()
        #expect(
            names == ["Photo.data", "Photo.data/p1", "Photo.data/p2", "Photo.shape", "Photo.shape/p1"])
        let run = try imported(file)
        #expect(run.problems == [] && run.report.created == 3, "\(run.messages)")
        #expect(try run.document == TestImport(store: store, report: run.report).document)
        // An existing output is refused, and replaced on request.
        let again = #expect(throws: GranaryError.self) {
            try Exporter(options: options).run(store, to: .path(path(output), format: format, replacing: false))
        }
        #expect(again?.code == .uncreatable)
        _ = try Exporter(options: options).run(store, to: .path(path(output), format: format, replacing: true))
        _ = try folder.write("mine", to: values + "/note.txt")
        let other = #expect(throws: GranaryError.self) {
            try Exporter(options: options).run(store, to: .path(path(output), format: format, replacing: true))
        }
        #expect(other?.code == .uncreatable)
        #expect(try String(contentsOfFile: path(values + "/note.txt"), encoding: .utf8) == "mine")
    }

    @Test func standardOutputHasNoFiles() throws {
        let error = #expect(throws: GranaryError.self) {
            try Exporter(options: options).run(store(), to: .standardOutput(.csv))
        }
        #expect(error?.code == .usage)
    }

    /// Paths that a hostile table could contain. The secret is outside of the folder of values.
    @Test(arguments: [
        "/etc/passwd", "../secret", "photo.csv.blobs/../secret", "photo.csv.blobs/./p1", "secret",
        "photo.csv.blobs", "photo.csv.blobs/", "photo.csv.blobs//p1", "photo.csv.blobs/link",
        "photo.csv.blobs/up/secret",
        "photo.csv.blobs/Photo.data", "photo.csv.blobs/fifo", "./photo.csv.blobs/Photo.data/p1",
        "other/Photo.data/p1",
    ])
    func hostilePaths(_ text: String) throws {
        _ = try Exporter(options: options).run(store(), to: .path(path("photo.csv"), format: nil, replacing: false))
        _ = try folder.write("secret", to: "secret")
        let values = path("photo.csv.blobs")
        try FileManager.default.createSymbolicLink(atPath: values + "/link", withDestinationPath: path("secret"))
        try FileManager.default.createSymbolicLink(atPath: values + "/up", withDestinationPath: folder.url.path)
        #expect(mkfifo(values + "/fifo", 0o600) == 0)
        _ = try folder.write("data\n\(text)\n", to: "photo.csv")
        let run = try imported("photo.csv") { $0.missingFiles = .null }
        #expect(run.report.created == 0 && run.report.diagnostics.map(\.code) == [.valueSyntax], "\(run.messages)")
    }

    @Test("A value above the limit is rejected before it is read")
    func largeFile() throws {
        _ = try Exporter(options: options).run(store(), to: .path(path("photo.csv"), format: nil, replacing: false))
        // The file has a hole in place of its content.
        #expect(truncate(path("photo.csv.blobs/Photo.data/p1"), off_t(RowBatch.fileLimit) + 1) == 0)
        let run = try imported("photo.csv")
        #expect(run.report.diagnostics.map(\.code) == [.limitExceeded], "\(run.messages)")
        #expect(run.messages.first?.contains("1000000001 bytes; the limit for a value is 1000000000 bytes") == true)
    }

    @Test("A large value is copied from file to file, and an equal one is not a change")
    func streamed() throws {
        let store = try ExportSamples.store(Self.model)
        let value = TestBytes.varied(3_000_000)
        try ExportSamples.insert(
            "Photo", 1, ["data": .binary(value), "plain": .binary(value), "name": "a"], into: store)
        _ = try Exporter(options: options).run(store, to: .path(path("photo.csv"), format: nil, replacing: false))
        let file = path("s.sqlite")
        let database = try SQLiteStore.create(path: file, schema: store.schema)
        try database.publish()
        var keyed = ImportOptions()
        keyed.key = ["name"]
        let source = ImportSource.file(path: path("photo.csv"), options: SourceOptions())
        #expect(try Importer(entity: "Photo", from: source, options: keyed).run(into: database).created == 1)
        keyed.onConflict = .update
        let again = try Importer(entity: "Photo", from: source, options: keyed).run(into: database)
        #expect(again.unchanged == 1 && again.updated == 0, "\(again.diagnostics)")
        try store.schema.entity(named: "Photo").map { photo in
            let rows = try database.read(root: photo.index, keys: [1])
            for name in ["data", "plain"] {
                let attribute = try #require(photo.attribute(named: name))
                #expect(try rows.value(row: 0, of: attribute) == .binary(value))
            }
        }
        var other = value
        other[2_999_999] ^= 1
        _ = try folder.write(other, to: "photo.csv.blobs/Photo.data/p1")
        let changed = try Importer(entity: "Photo", from: source, options: keyed).run(into: database)
        #expect(changed.updated == 1, "\(changed.diagnostics)")
    }

    @Test func missingFiles() throws {
        _ = try Exporter(options: options).run(store(), to: .path(path("photo.csv"), format: nil, replacing: false))
        try FileManager.default.removeItem(atPath: path("photo.csv.blobs/Photo.data/p2"))
        let refused = try imported("photo.csv")
        #expect(refused.report.diagnostics.map(\.code) == [.valueMissing], "\(refused.messages)")
        #expect(refused.report.diagnostics.first?.help == "--missing-files null")
        #expect(refused.messages.first?.contains("Photo.data/p2") == true)
        let kept = try imported("photo.csv") { $0.missingFiles = .null }
        #expect(kept.report.created == 3 && kept.report.diagnostics.map(\.severity) == [.warning])
        let csv = try kept.csv("Photo", columns: ["$id", "shape"])
        #expect(csv.hasPrefix("$id,shape\nPhoto/p1,YnBs"), "\(csv)")
    }
}
