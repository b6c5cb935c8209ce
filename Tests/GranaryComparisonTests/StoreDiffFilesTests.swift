import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryComparison
@testable import GranaryExport
@testable import SeedingTestSupport

/// The comparison of files: stores, and stores with their exports.
@Suite struct StoreDiffFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func export(_ store: String, to name: String, _ format: DataFormat) throws -> String {
        let source = try SQLiteStore.open(path: store, schema: try ExportSamples.company.resolved(), readOnly: true)
        let slash = format.holdsSeveralEntities ? "" : "/"
        _ = try Exporter().run(source, to: .path(path(name) + slash, format: format, replacing: false))
        return path(name)
    }

    @Test(arguments: [
        ("out.json", DataFormat.json),
        ("folder.csv", .csv),
    ])
    func `A store equals each of its exports`(_ name: String, _ format: DataFormat) throws {
        let store = try DiffRun.companyFile(in: folder)
        let exported = try export(store, to: name, format)
        for (a, b) in [(store, exported), (exported, store), (exported, exported)] {
            let run = try DiffRun.of(paths: a, b, model: ExportSamples.company)
            #expect(run.lines.isEmpty && run.summary.isEqual, "\(a) \(b)")
            #expect(run.counts == ["Department 2 0 0 0", "Customer 1 0 0 0", "Employee 2 0 0 0", "Tag 2 0 0 0"])
        }
    }

    @Test func `Documents contain their model`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let json = try export(store, to: "out.json", .json)
        let list = try export(store, to: "out.plist", .plist)
        #expect(try DiffRun.of(paths: json, list).summary.isEqual)
        #expect(try DiffRun.of(paths: store, json).summary.isEqual)
        #expect(try DiffRun.of(paths: list, store).summary.isEqual)
        // A folder has no model, so that it takes the model of the other side.
        let csv = try export(store, to: "folder", .csv)
        #expect(try DiffRun.of(paths: csv, json).summary.isEqual)
        let error = try #require(throws: GranaryError.self) { try DiffRun.of(paths: csv, csv) }
        #expect(error.code == .usage && error.message.hasPrefix("A: "))
    }

    @Test func `An edited export differs`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let exported = try export(store, to: "folder", .csv)
        let file = exported + "/Customer.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("Bob", with: "Rob").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try DiffRun.of(paths: store, exported, model: ExportSamples.company)
        #expect(run.lines == ["changed Customer/p2: name"])
    }

    @Test func `External data compares by content`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Photo", [.attribute("data", .binary, .externalStorage)])
        ])
        func file(_ name: String, _ last: UInt8) throws -> String {
            let target = path(name)
            let store = try SQLiteStore.create(path: target, schema: try model.resolved())
            let large = Data(repeating: 3, count: 400_000) + [last]
            try ExportSamples.insert("Photo", 1, ["data": .binary(large)], into: store)
            try ExportSamples.insert("Photo", 2, ["data": .binary(Data([1, 2]))], into: store)
            try store.publish()
            return target
        }
        let (first, second, third) = (try file("A.sqlite", 1), try file("B.sqlite", 1), try file("C.sqlite", 2))
        #expect(try DiffRun.of(paths: first, second, model: model).summary.isEqual)
        let run = try DiffRun.of(paths: first, third, model: model)
        #expect(run.lines == ["changed Photo/p1: data"])
        guard case .data(let count, _)? = run.differences.first?.properties.first?.b else {
            Issue.record("\(run.differences)")
            return
        }
        #expect(count == 400_001)
    }

    @Test func `Comparing leaves the files alone and removes its own`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let exported = try export(store, to: "out.json", .json)
        let before = (try Data(contentsOf: URL(filePath: store)), try Data(contentsOf: URL(filePath: exported)))
        _ = try DiffRun.of(paths: store, exported)
        #expect(try Data(contentsOf: URL(filePath: store)) == before.0)
        #expect(try Data(contentsOf: URL(filePath: exported)) == before.1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                "Company.sqlite", "out.json",
            ])
    }

    @Test func `Errors name the side`() throws {
        let store = try DiffRun.companyFile(in: folder)
        _ = try folder.write(#"{"entities": {"Tag": [{"$id": "Tag/p1", "wurd": "x"}]}}"#, to: "bad.json")
        _ = try folder.write("no database", to: "text.sqlite")
        _ = try folder.write("a%b", to: "words.terms")
        try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: path("other"), withIntermediateDirectories: false)
        _ = try folder.write("x", to: "other/notes.txt")
        let cases: [(String, GranaryError.Code)] = [
            ("missing.sqlite", .unreadable), ("bad.json", .refused), ("text.sqlite", .refused),
            ("words.terms", .usage), ("empty", .refused), ("other", .refused),
        ]
        for (name, code) in cases {
            let first = try #require(throws: GranaryError.self, "\(name)") {
                try DiffRun.of(paths: path(name), store, model: ExportSamples.company)
            }
            #expect(first.code == code && first.message.hasPrefix("A: "), "\(name): \(first.message)")
            let second = try #require(throws: GranaryError.self, "\(name)") {
                try DiffRun.of(paths: store, path(name), model: ExportSamples.company)
            }
            #expect(second.code == code && second.message.hasPrefix("B: "), "\(name): \(second.message)")
        }
    }

    @Test func `A cancelled comparison stops`() throws {
        let store = try DiffRun.companyFile(in: folder)
        var options = StoreDiffOptions()
        let cancellation = Cancellation()
        cancellation.cancel()
        options.cancellation = cancellation
        let diff = StoreDiff(options: options)
        let error = try #require(throws: GranaryError.self) { try diff.run(paths: store, store) { _ in } }
        #expect(error.code == .interrupted)
    }

    // MARK: - One entity

    private func exportOne(_ entity: String, of store: String, to name: String, _ format: DataFormat) throws -> String {
        let source = try SQLiteStore.open(path: store, schema: try ExportSamples.company.resolved(), readOnly: true)
        let exporter = Exporter(options: ExportSamples.options(entity))
        _ = try exporter.run(source, to: .path(path(name), format: format, replacing: false))
        return path(name)
    }

    @Test(
        arguments: zip(
            ["Department", "Employee"], [DataFormat.csv, .json]))
    func `A file of one entity is compared with that entity`(_ entity: String, _ format: DataFormat) throws {
        let store = try DiffRun.companyFile(in: folder)
        let named = try exportOne(entity, of: store, to: "\(entity).\(format.rawValue)", format)
        let other = try exportOne(entity, of: store, to: "other.\(format.rawValue)", format)
        let counts = ["Department": 2, "Customer": 1, "Employee": 2, "Tag": 2]
        for (a, b) in [(store, named), (named, store)] {
            let run = try DiffRun.of(paths: a, b)
            #expect(run.lines.isEmpty && run.summary.isEqual, "\(run.lines)")
            #expect(run.counts == ["\(entity) \(counts[entity] ?? 0) 0 0 0"])
        }
        let run = try DiffRun.of(paths: store, other, entities: [entity])
        #expect(run.summary.isEqual && run.counts.count == 1, "\(run.lines)")
        // Tables of entities with a key have no `$id`s, which would name the entity.
        let hasIdentifiers = !format.isDelimited || ["Employee", "Customer"].contains(entity)
        if hasIdentifiers { return #expect(try DiffRun.of(paths: store, other).summary.isEqual) }
        let error = try #require(throws: GranaryError.self) { try DiffRun.of(paths: store, other) }
        #expect(error.code == .usage && error.message.hasPrefix("B: ") && error.message.contains("\"other\""))
    }

    @Test func `Edited references of one entity differ`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let file = try exportOne("Employee", of: store, to: "Employee.csv", .csv)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("Sales", with: "Law").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try DiffRun.of(paths: store, file)
        #expect(run.lines == ["changed Employee/p3: department"], "\(run.lines)")
        #expect(run.counts == ["Employee 1 1 0 0"])
    }

    /// The objects of a hierarchy share their primary keys, so the customer of the store and the employee of the file
    /// have the same one.
    @Test func `A file of one entity can have keys of other objects of the store`() throws {
        let schema = try ExportSamples.company.resolved()
        let (a, b) = (try DiffRun.companyFile(in: folder), try DiffRun.companyFile(in: folder, "B.sqlite"))
        let first = try SQLiteStore.openForWriting(path: a, schema: schema, busyTimeout: .seconds(5))
        try ExportSamples.insert("Customer", 4, ["name": "Dee"], into: first)
        let second = try SQLiteStore.openForWriting(path: b, schema: schema, busyTimeout: .seconds(5))
        try ExportSamples.insert("Employee", 4, ["name": "Eve"], into: second)
        let file = try exportOne("Employee", of: b, to: "Employee.csv", .csv)
        let run = try DiffRun.of(paths: a, file)
        #expect(run.lines == ["onlyInB Employee/p4"], "\(run.lines)")
        #expect(run.counts == ["Employee 2 0 0 1"])
    }

    @Test func `Stores are compared by some entities`() throws {
        let (a, b) = (try DiffRun.companyFile(in: folder), try DiffRun.companyFile(in: folder, "B.sqlite"))
        let store = try SQLiteStore.openForWriting(
            path: b, schema: try ExportSamples.company.resolved(), busyTimeout: .seconds(5))
        try ExportSamples.insert("Tag", 9, ["word": "late"], into: store)
        #expect(try DiffRun.of(paths: a, b).lines == ["onlyInB Tag/p9"])
        let persons = try DiffRun.of(paths: a, b, entities: ["Person"])
        #expect(persons.summary.isEqual && persons.counts == ["Customer 1 0 0 0", "Employee 2 0 0 0"])
        let error = try #require(throws: GranaryError.self) { try DiffRun.of(paths: a, b, entities: ["Persn"]) }
        #expect(error.code == .usage && error.message.contains("did you mean \"Person\"?"), "\(error.message)")
    }
}

@Suite struct StoreDiffFilesLongTests {
    @Test(arguments: [
        ("out.plist", DataFormat.plist),
        ("folder.tsv", .tsv),
        ("folder", .ndjson),
    ])
    func `A store equals each of its exports`(_ name: String, _ format: DataFormat) throws {
        try StoreDiffFilesTests().`A store equals each of its exports`(name, format)
    }

    @Test(arguments: ["Department", "Customer", "Employee", "Tag"], [DataFormat.csv, .tsv, .ndjson, .json, .plist])
    func `A file of one entity is compared with that entity`(_ entity: String, _ format: DataFormat) throws {
        try StoreDiffFilesTests().`A file of one entity is compared with that entity`(entity, format)
    }
}
