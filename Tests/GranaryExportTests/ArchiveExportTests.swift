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
import GranaryPropertyLists
import GranaryRecords
import TestSupport
import Testing
@testable import SeedingTestSupport

/// An archive store is the property-list export: one format, one writer.
@Suite struct ArchiveExportTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.appending(path: "store.plist").path
    }

    /// The objects of `ExportSamples.companyStore()` in an archive, by way of an import.
    private func archive(_ encoding: PropertyListEncoding) throws -> ArchiveStore {
        let text = try ExportSamples.json(ExportSamples.companyStore(), shape: .document)
        let store = try ArchiveStore.openOrCreate(
            path: path, schema: try ExportSamples.company.resolved(), encoding: encoding)
        let run = try TestImport.of([TestImport.reader(json: text)], nil, store)
        #expect(run.report.created == 7, "\(run.messages)")
        #expect(try ExportSamples.json(store, shape: .document) == text)
        return store
    }

    private static let byID: ExportOptions = {
        var options = ExportOptions()
        options.reference = .id
        return options
    }()

    /// The document that an export of the store with ids is.
    private func export(_ store: any StoreBackend, _ encoding: PropertyListEncoding) throws -> [UInt8] {
        let url = folder.url.appending(path: "export.plist")
        var writing = PropertyListWriter.Options()
        writing.encoding = encoding
        writing.shape = .document
        let output = try ByteOutput.file(url.path(percentEncoded: false), replacing: false)
        try Exporter(options: Self.byID).run(store, into: PropertyListWriter(output, options: writing))
        return Array(try Data(contentsOf: url))
    }

    @Test(arguments: PropertyListEncoding.allCases)
    func `The file is the export with ids, and metadata`(_ encoding: PropertyListEncoding) throws {
        let store = try archive(encoding)
        let bytes = try export(store, encoding)
        let file = Array(try Data(contentsOf: URL(filePath: path)))
        let (exported, stored) = (
            try PropertyList.read(bytes, source: "export"), try PropertyList.read(file, source: "store")
        )
        #expect(stored["entities"] == exported["entities"])
        #expect(stored["model"] == exported["model"])
        #expect(stored["metadata"] != nil)
        #expect(stored.dictionary?.count == 3 && exported.dictionary?.count == 2)
        if encoding == .xml {
            let end = Array("</dict>\n</plist>\n".utf8)
            #expect(bytes.suffix(end.count).elementsEqual(end))
            #expect(file.starts(with: bytes.dropLast(end.count)))
        }
    }

    @Test(arguments: PropertyListEncoding.allCases)
    func `An import reads the file past its metadata`(_ encoding: PropertyListEncoding) throws {
        let store = try archive(encoding)
        var options = ImportOptions()
        for name in ["department", "head", "tags", "friends", "staff", "persons"] {
            options.lookups[name] = .identifier
        }
        let reader = try PropertyListReader(ByteSource(path: path))
        let run = try TestImport.of([reader], nil, try ExportSamples.store(ExportSamples.company), options)
        #expect(run.report.created == 7, "\(run.messages)")
        #expect(try run.document == ExportSamples.json(store, Self.byID, shape: .document))
    }

    @Test func `What an import left is there when the file is opened, and an export is no archive`() throws {
        let store = try archive(.binary)
        let again = try ArchiveStore.open(path: path, schema: store.schema)
        #expect(
            try ExportSamples.json(again, Self.byID, shape: .document)
                == ExportSamples.json(store, Self.byID, shape: .document))
        _ = try export(again, .binary)
        let other = folder.url.appending(path: "export.plist").path
        let error = #expect(throws: GranaryError.self) { try ArchiveStore.open(path: other, schema: store.schema) }
        #expect(error?.message.contains("it has no metadata") == true)
    }
}
