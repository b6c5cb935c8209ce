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

/// Destinations, compression, infinities, missing files and references by id.
struct ExportFormTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    private func exported(_ name: String, _ format: DataFormat?, _ options: ExportOptions) throws -> ExportReport {
        try Exporter(options: options).run(
            ExportSamples.companyStore(), to: .path(path(name), format: format, replacing: false))
    }

    // MARK: Files and folders

    private static let destinations: [(String, DataFormat?, [String], [String])] = [
        ("a.csv", nil, ["Tag"], ["a.csv"]), ("a.csv.gz", nil, ["Tag"], ["a.csv.gz"]), ("a.json", nil, [], ["a.json"]),
        ("a/", .csv, ["Tag"], ["a/Tag.csv", "a/granary.json"]),
        ("a//", .tsv, ["Tag"], ["a/Tag.tsv", "a/granary.json"]),
        ("a/", .json, ["Tag"], ["a/Tag.json", "a/granary.json"]),
        ("a/", .plist, ["Tag", "Customer"], ["a/Customer.plist", "a/Tag.plist", "a/granary.json"]),
    ]

    @Test(arguments: destinations)
    func theSlashDecides(_ name: String, _ format: DataFormat?, _ entities: [String], _ files: [String]) throws {
        var options = ExportOptions()
        options.entities = entities
        _ = try exported(name, format, options)
        let found = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(found.filter { $0.contains(".") }.sorted() == files)
    }

    @Test(arguments: [("a.csv", DataFormat.csv), ("a", .ndjson), ("a.tsv", .tsv)])
    func aFileOfOneEntityHasNoSeveral(_ name: String, _ format: DataFormat) throws {
        let error = #expect(throws: GranaryError.self) { try exported(name, format, ExportOptions()) }
        #expect(error?.code == .usage && error?.help == "--entity NAME or --output folder/")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: ["tag.csv.gz", "all.json.gz", "all.plist.gz"])
    func gzip(_ name: String) throws {
        var options = ExportOptions()
        if name.hasPrefix("tag") { options.entities = ["Tag"] }
        _ = try exported(name, nil, options)
        let plain = String(name.dropLast(3))
        _ = try exported(plain, nil, options)
        let compressed = try Data(contentsOf: URL(filePath: path(name)))
        #expect(compressed.prefix(2) == Data([0x1F, 0x8B]))
        let source = try ByteSource(path: path(name))
        source.inflateGzip()
        #expect(try source.readAll(limit: 1 << 20) == Array(Data(contentsOf: URL(filePath: path(plain)))))
        let again = try ExportSamples.store(ExportSamples.company)
        let input = ImportSource.file(path: path(name), options: SourceOptions())
        let report = try Importer(entity: options.entities.first, from: input).run(into: again)
        #expect(report.created == (name.hasPrefix("tag") ? 2 : 7), "\(report.diagnostics.map(\.message))")
    }

    // MARK: Values

    @Test func infinitiesAreRefusedOrText() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Thing", [.attribute("d", .double), .attribute("f", .float), .attribute("t", .date)])
        ])
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("Thing", 1, ["d": .double(.infinity), "f": .float(-.infinity)], into: store)
        try ExportSamples.insert("Thing", 2, ["d": .double(-0.5), "f": .float(1.5)], into: store)
        for format in [DataFormat.csv, .json, .ndjson, .plist] {
            var options = ExportOptions()
            options.entities = ["Thing"]
            func export() throws -> String {
                let file = path("out")
                _ = try Exporter(options: options).run(store, to: .path(file, format: format, replacing: true))
                return try String(contentsOfFile: file, encoding: .utf8)
            }
            let error = #expect(throws: GranaryError.self) { try export() }
            #expect(
                error?.message.contains("Thing/p1: Infinity") == true
                    || error?.message.contains("Thing/p1: inf") == true)
            #expect(error?.diagnostics.first?.property == "d" && error?.diagnostics.first?.code == .valueRange)
            options.nonFinite = .text
            let text = try export()
            #expect(text.contains("Infinity") && text.contains("-Infinity") && text.contains("1.5"), "\(text)")
        }
    }

    @Test func missingExternalFiles() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Photo", [.attribute("data", .binary, .externalStorage)])
        ])
        let store = try SQLiteStore.openOrCreate(path: path("S.sqlite"), schema: try model.resolved())
        try ExportSamples.insert("Photo", 1, ["data": .binary(Data(repeating: 7, count: 200_000))], into: store)
        try ExportSamples.insert("Photo", 2, ["data": .binary(Data([1]))], into: store)
        try FileManager.default.removeItem(atPath: path(".S_SUPPORT/_EXTERNAL_DATA"))
        var options = ExportOptions()
        let error = #expect(throws: GranaryError.self) { try ExportSamples.csv(store, options) }
        #expect(error?.message.contains("p1") == true && error?.message.contains("_EXTERNAL_DATA/") == true)
        #expect(error?.diagnostics.first?.property == "data" && error?.diagnostics.first?.entity == "Photo")
        options.missingFiles = .null
        let file = path("out.csv")
        let report = try Exporter(options: options).run(store, to: .path(file, format: nil, replacing: false))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "$id,data\nPhoto/p1,\nPhoto/p2,AQ==\n")
        #expect(report.warnings.map(\.property) == ["data"])
        #expect(report.warnings.first?.message.contains("Photo/p1") == true)
        // The next export is strict again.
        #expect(throws: GranaryError.self) { try ExportSamples.csv(store, ExportOptions()) }
    }

    // MARK: References by id

    @Test func referencesByIDNeedNoOptions() throws {
        var options = ExportOptions()
        options.reference = .id
        let store = try ExportSamples.companyStore()
        let text = try ExportSamples.json(store, options, shape: .document)
        #expect(text.contains("\"department\":\"Department/p2\""))
        let run = try TestImport.json(text, nil, ExportSamples.company)
        #expect(run.problems == [] && run.report.created == 7, "\(run.messages)")
        #expect(try run.document == text)
        // A new file refers forward too.
        let file = path("out.json")
        _ = try Exporter(options: options).run(store, to: .path(file, format: nil, replacing: false))
        let into = try SQLiteStore.openOrCreate(
            path: path("S.sqlite"), schema: try ExportSamples.company.resolved())
        let source = ImportSource.file(path: file, options: SourceOptions())
        #expect(try Importer(entity: nil, from: source).run(into: into).created == 7)
        #expect(try ExportSamples.json(into, options, shape: .document) == text)
    }

    private static let numbered = ManagedObjectModel(entities: [
        EntityDescription("A", [.toOne("b", "B", inverse: nil)]),
        EntityDescription("B", [.attribute("key", .integer16), .attribute("name", .string)], unique: [["key"]]),
    ])

    @Test(arguments: [
        // The key of a number is never an id.
        (#"{"entities":{"A":[{"b":"B/p7"}],"B":[{"$id":"B/p7","key":1}]}}"#, [], "B/p7"),
        (#"{"entities":{"A":[{"b":1}],"B":[{"$id":"B/p7","key":1}]}}"#, [], "B/p7"),
        (#"{"entities":{"A":[{"b":"B/p8"}],"B":[{"$id":"B/p7","key":1}]}}"#, ["relationship.notFound"], ""),
        (#"{"entities":{"A":[{"b":"A/p1"}],"B":[{"$id":"B/p7","key":1}]}}"#, ["value.syntax"], ""),
    ])
    func keysOfOtherTypes(_ text: String, _ codes: [String], _ target: String) throws {
        let run = try TestImport.json(text, nil, Self.numbered)
        #expect(run.report.diagnostics.map(\.code.rawValue) == codes, "\(run.messages)")
        if codes.isEmpty { #expect(try run.document.contains("\"b\":\"\(target)\"")) }
    }

    private static let named = ManagedObjectModel(entities: [
        EntityDescription("A", [.toOne("b", "B", inverse: nil)]),
        EntityDescription("B", [.attribute("name", .string)], unique: [["name"]]),
    ])

    @Test(arguments: [
        // A key that looks like an id is a key where no object has that id.
        (#"{"entities":{"A":[{"b":"B/p9"}],"B":[{"$id":"B/p1","name":"B/p9"}]}}"#, [], "B/p1"),
        (#"{"entities":{"A":[{"b":"B/p9"}],"B":[{"$id":"B/p9","name":"B/p9"}]}}"#, [], "B/p9"),
        (
            #"{"entities":{"A":[{"b":"B/p2"}],"B":[{"$id":"B/p1","name":"B/p2"},{"$id":"B/p2","name":"x"}]}}"#,
            ["relationship.ambiguous"], ""
        ),
    ])
    func keysThatLookLikeIDs(_ text: String, _ codes: [String], _ target: String) throws {
        let run = try TestImport.json(text, nil, Self.named)
        #expect(run.report.diagnostics.map(\.code.rawValue) == codes, "\(run.messages)")
        if codes.isEmpty { #expect(try run.document.contains("\"b\":\"\(target)\"")) }
        guard !codes.isEmpty else { return }
        #expect(run.report.diagnostics.first?.help?.contains("--lookup") == true)
        for (lookup, target) in [(ImportOptions.Lookup.identifier, "B/p2"), (.attribute("name"), "B/p1")] {
            let chosen = try TestImport.json(text, nil, Self.named) { $0.lookups["b"] = lookup }
            #expect(try chosen.document.contains("\"b\":\"\(target)\""), "\(chosen.messages)")
        }
    }

    /// Other threads create the rows of a file without `$id`, but do not look up ids.
    @Test func idsInRegularRows() throws {
        let sources: [ImportSource] = [
            .text("$id,name\nB/p1,x\nB/p2,y\n", format: .csv), .text("b\nB/p2\ny\nB/p1\nx\n", format: .csv),
        ]
        let jobs = zip(["B", "A"], sources).map { ImportJob(entity: $0, sources: [$1]) }
        let store = try ExportSamples.store(Self.named)
        let report = try Importer(jobs: jobs).run(into: store)
        #expect(report.created == 6, "\(report.diagnostics.map(\.message))")
        var options = ExportSamples.options("A")
        options.columns = ["b"]
        options.reference = .id
        #expect(try ExportSamples.csv(store, options) == "b\nB/p2\nB/p2\nB/p1\nB/p1\n")
    }

    @Test func idsInManyRows() throws {
        let store = try ExportSamples.store(Self.named)
        for key in 1...300 {
            try ExportSamples.insert("B", Int64(key), ["name": .string("n\(key)")], into: store)
            try ExportSamples.insert("A", Int64(key), to: ["b": ("B", Int64(301 - key))], into: store)
        }
        var options = ExportOptions()
        options.reference = .id
        _ = try Exporter(options: options).run(store, to: .path(path("out/"), format: .csv, replacing: false))
        try FileManager.default.removeItem(atPath: path("out/granary.json"))
        let sources = ["A", "B"].map { ImportSource.file(path: path("out/\($0).csv"), options: SourceOptions()) }
        let again = try ExportSamples.store(Self.named)
        let report = try Importer(jobs: [ImportJob(entity: nil, sources: sources)]).run(into: again)
        #expect(report.created == 600, "\(report.diagnostics.prefix(3).map(\.message))")
        #expect(
            try ExportSamples.json(again, options, shape: .document)
                == ExportSamples.json(store, options, shape: .document))
    }
}
