import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// A store of one kind, and imports into it one after the other.
///
/// A test keeps it to its end: `defer { bench.keep() }`.
final class EngineBench {
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case memory, sqlite

        var testDescription: String { rawValue }
    }

    let store: any StoreBackend
    private let folder: TemporaryFolder?

    init(_ model: ManagedObjectModel, _ kind: Kind) throws {
        switch kind {
        case .memory:
            store = try ExportSamples.store(model)
            folder = nil
        case .sqlite:
            let made = try TestImport.sqlite(model)
            store = made.store
            folder = made.folder
        }
    }

    func keep() { withExtendedLifetime(self) {} }

    // MARK: Imports

    @discardableResult
    func load(
        csv text: String, _ entity: String, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        try TestImport.csv(text, entity, into: store, run: run, change)
    }

    @discardableResult
    func load(
        json text: String, _ entity: String?, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        return try TestImport.of([TestImport.reader(json: text)], entity, store, options, run: run)
    }

    @discardableResult
    func load(_ jobs: [ImportJob], run: ImportRunOptions = ImportRunOptions()) throws -> TestImport {
        TestImport(store: store, report: try Importer(jobs: jobs, run: run).run(into: store))
    }

    static func job(
        csv text: String, _ entity: String, name: String = "in.csv", _ change: (inout ImportOptions) -> Void = { _ in }
    ) -> ImportJob {
        var options = ImportOptions()
        change(&options)
        let source = ImportSource(name: name, nests: false) { () throws(GranaryError) -> any RecordReader in
            try CSVReader(ByteSource(bytes: Array(text.utf8), name: name))
        }
        return ImportJob(entity: entity, sources: [source], options: options)
    }

    static func update(_ options: inout ImportOptions) { options.onConflict = .update }

    // MARK: What is in the store

    /// Some columns of an entity without subentities, in the order of the objects' keys.
    func table(_ entity: String, _ columns: String...) throws -> String {
        var options = ExportOptions()
        options.entities = [entity]
        options.columns = columns
        return try ExportSamples.csv(store, options)
    }

    /// All of the store as one text that names every object by its key.
    func document() throws -> String {
        var options = ExportOptions()
        options.reference = .id
        return try ExportSamples.json(store, options, shape: .document)
    }

    func count(_ entity: String) throws -> Int {
        try store.count(entity: try #require(store.schema.entity(named: entity)).index)
    }

    func version(_ entity: String, _ key: Int64) throws -> Int64? {
        let root = try #require(store.schema.entity(named: entity)).root
        return try store.versions(root: root, keys: [key])[key]
    }

    /// The bytes of the store's file and its log, under its own name; none for a store in memory.
    func bytes() throws -> Data {
        guard let file = store as? SQLiteStore else { return Data() }
        try file.publish()
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        if let log = try? Data(contentsOf: URL(filePath: file.path + "-wal")) { bytes.append(log) }
        return bytes
    }

    /// What `store check` finds: references one way only, and the like.
    func faults() throws -> [String] {
        var collector = DiagnosticCollector()
        try StoreCheck(store).run(&collector)
        return collector.diagnostics.map(\.message)
    }

    /// The column of the first byte of `needle` in a text of one line, from 1.
    static func column(of needle: String, in text: String) -> Int {
        guard let range = text.range(of: needle) else { return 0 }
        return text.utf8.distance(from: text.startIndex, to: range.lowerBound) + 1
    }
}

extension TestImport {
    var counts: RecordCounts { RecordCounts(report) }

    /// The counts of each job of the run.
    var jobCounts: [RecordCounts] { report.imports.map { RecordCounts($0) } }

    var addsUp: Bool { counts.read == report.read }

    /// The changes as `action object line properties`.
    var changes: [String] {
        report.changes.map { "\($0.action.rawValue) \($0.id) \($0.line ?? 0) \($0.properties.joined(separator: ","))" }
    }

    /// The errors as `line code property`.
    var errors: [String] { zip(lines, report.diagnostics).filter { $0.1.severity == .error }.map(\.0) }

    /// The warnings as `line code property`, sorted.
    var warnings: [String] { zip(lines, report.diagnostics).filter { $0.1.severity == .warning }.map(\.0).sorted() }

    /// The lines with errors.
    var rejectedLines: Set<Int> {
        Set(report.diagnostics.filter { $0.severity == .error }.compactMap(\.position?.line))
    }

    /// The diagnostics as `line code property`, for places that only the line matters of.
    var lines: [String] {
        report.diagnostics.map { "\($0.position?.line ?? 0) \($0.code.rawValue) \($0.property ?? "-")" }
    }
}
