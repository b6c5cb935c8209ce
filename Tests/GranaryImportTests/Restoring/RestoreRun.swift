import Foundation
import GranaryBase
import GranaryComparison
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryRecords
import TestSupport
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// A format that a whole store is exported to.
enum RestoreFormat: String, CaseIterable, Sendable {
    case csv, json, xml, binary

    private var fileExtension: String {
        switch self {
        case .csv: "csv"
        case .json: "json"
        case .xml, .binary: "plist"
        }
    }

    /// The path of an export with a name: a folder for CSV.
    func path(_ name: String, in folder: TemporaryFolder) -> String {
        folder.url.appending(path: "\(name)-\(rawValue)" + (self == .csv ? "" : "." + fileExtension)).path
    }

    /// Exports all of a store.
    func export(_ store: any StoreBackend, to path: String, reference: ExportOptions.ReferenceStyle?) throws {
        var options = ExportOptions()
        options.identifiers = .always
        options.reference = reference
        let exporter = Exporter(options: options)
        switch self {
        case .csv:
            let writer = try FolderWriter(path: path, fileExtension: "csv", replacing: false) {
                (output: ByteOutput) throws(GranaryError) -> CSVWriter in try CSVWriter(output)
            }
            try exporter.run(store, into: writer)
        case .json:
            var writing = JSONWriter.Options()
            writing.shape = .document
            try exporter.run(store, into: JSONWriter(try ByteOutput.file(path, replacing: false), options: writing))
        case .xml, .binary:
            var writing = PropertyListWriter.Options()
            writing.shape = .document
            writing.encoding = self == .xml ? .xml : .binary
            try exporter.run(
                store, into: PropertyListWriter(try ByteOutput.file(path, replacing: false), options: writing))
        }
    }

    /// The files of an export.
    func files(_ path: String) throws -> [String] {
        guard self == .csv else { return [path] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".csv") }.sorted()
            .map { "\(path)/\($0)" }
    }

    func sources(_ path: String) throws -> [ImportSource] {
        var options = SourceOptions()
        options.allowsNUL = true
        return try files(path).map { ImportSource.file(path: $0, options: options) }
    }

    /// The names and contents of the files.
    func contents(_ path: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for file in try files(path) {
            let url = URL(filePath: file)
            contents[url.lastPathComponent == URL(filePath: path).lastPathComponent ? "" : url.lastPathComponent] =
                try Data(contentsOf: url)
        }
        return contents
    }
}

/// An export of a store, and the store that is restored from it.
enum RestoreRun {
    /// Exports a store, restores it, compares the stores, and exports the new one.
    ///
    /// - Returns: what is not the same; empty if all is.
    static func problems(
        of store: any StoreBackend, _ format: RestoreFormat, reference: ExportOptions.ReferenceStyle?,
        in folder: TemporaryFolder
    ) throws -> [String] {
        let (first, second) = (format.path("first", in: folder), format.path("second", in: folder))
        try format.export(store, to: first, reference: reference)
        let path = folder.url.appending(path: "Restored-\(format.rawValue).sqlite").path
        let restored = try SQLiteStore.create(path: path, schema: store.schema)
        var options = ImportOptions()
        options.restoresAsIs = true
        var run = ImportRunOptions()
        run.keepsLedger = false
        let job = ImportJob(entity: nil, sources: try format.sources(first), options: options)
        let report = try Importer(jobs: [job], run: run).run(into: restored)
        guard !report.isRefused else {
            let errors = report.diagnostics.filter { $0.severity == .error }
            return ["refused"] + errors.prefix(5).map(\.description)
        }
        var problems: [String] = []
        if report.created != report.read { problems.append("not every record is created: \(report.ledger)") }
        let difference = try DiffRun.of(store, restored)
        problems += difference.lines.prefix(5)
        if !difference.summary.isEqual { problems.append("the stores differ") }
        try format.export(restored, to: second, reference: reference)
        if try format.contents(first) != format.contents(second) { problems.append("the exports differ") }
        return problems
    }
}
