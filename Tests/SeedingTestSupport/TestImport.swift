import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import TestSupport
@testable import GranaryExport
@testable import GranaryImport

/// One import into a store of its own, and what became of it.
struct TestImport {
    let store: any StoreBackend
    package let report: ImportReport

    /// The diagnostics as `line:column code property`, in the order of reporting.
    package var problems: [String] {
        report.diagnostics.map {
            "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code.rawValue) \($0.property ?? "-")"
        }
    }

    var messages: [String] { report.diagnostics.map(\.message) }

    /// The store's objects of an entity as CSV without the ids.
    func csv(_ entity: String, columns: [String] = []) throws -> String {
        var options = ExportOptions()
        options.entities = [entity]
        options.columns = columns
        return try ExportSamples.csv(store, options)
    }

    /// All of the store as one text that names every object by its key.
    var document: String {
        get throws {
            var options = ExportOptions()
            options.reference = .id
            return try ExportSamples.json(store, options, shape: .document)
        }
    }

    static func of(
        _ readers: [any RecordReader], _ entity: String?, _ store: any StoreBackend,
        _ options: ImportOptions = ImportOptions(), run: ImportRunOptions = ImportRunOptions()
    ) throws -> TestImport {
        TestImport(
            store: store, report: try Importer(entity: entity, options: options, run: run).run(readers, into: store))
    }

    static func csv(
        _ text: String, _ entity: String, _ model: ManagedObjectModel, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        try csv(text, entity, into: try ExportSamples.store(model), run: run, change)
    }

    static func csv(
        _ text: String, _ entity: String, into store: any StoreBackend, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        return try of([reader(csv: text)], entity, store, options, run: run)
    }

    static func json(
        _ text: String, _ entity: String?, _ model: ManagedObjectModel,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        return try of([reader(json: text)], entity, try ExportSamples.store(model), options)
    }

    static func reader(csv text: String, name: String = "in.csv") throws -> CSVReader {
        try CSVReader(ByteSource(bytes: Array(text.utf8), name: name))
    }

    static func reader(json text: String, name: String = "in.json") -> JSONReader {
        JSONReader(ByteSource(bytes: Array(text.utf8), name: name))
    }

    static let keepGood = {
        var run = ImportRunOptions()
        run.mode = .keepGood
        return run
    }()

    static let dryRun = {
        var run = ImportRunOptions()
        run.isDryRun = true
        return run
    }()

    /// A store in a file of its own, with the folder that has to live as long.
    static func sqlite(_ model: ManagedObjectModel) throws -> (store: SQLiteStore, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "S.sqlite").path
        return (try SQLiteStore.create(path: path, schema: try model.resolved()), folder)
    }
}
