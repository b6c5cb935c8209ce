import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryCoordination
@testable import GranaryExport
@testable import GranaryImport
@testable import GranaryRecords
@testable import SeedingTestSupport

/// An export of a file with a sidecar or a folder of values that stops between two renames.
struct InterruptedExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.url.path + "/photos.csv" }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Photo", [.attribute("data", .binary, .externalStorage), .attribute("name", .string)])
    ])

    private func store(_ byte: UInt8) throws -> InMemoryStore {
        let store = try ExportSamples.store(Self.model)
        try ExportSamples.insert("Photo", 1, ["data": .binary(Data([byte])), "name": .string("=\(byte)")], into: store)
        return store
    }

    private func options(_ blobs: ExportOptions.BlobPlace) -> ExportOptions {
        var options = ExportOptions()
        options.entities = ["Photo"]
        options.blobs = blobs
        options.isForSpreadsheets = true
        return options
    }

    private func export(_ byte: UInt8, _ options: ExportOptions, replacing: Bool = false) throws {
        _ = try Exporter(options: options).run(store(byte), to: .path(path, format: nil, replacing: replacing))
    }

    /// The bytes and the name of the photo in the file, or the message of the refusal.
    private func imported() throws -> String {
        let again = try ExportSamples.store(Self.model)
        do {
            let report = try Importer(entity: "Photo", from: .file(path: path, options: SourceOptions())).run(
                into: again)
            guard !report.isRefused else { return report.diagnostics.map(\.message).joined() }
        } catch let error as GranaryError {
            return error.message
        }
        var found = ""
        try again.read(entities: 0..<1, batchSize: 10) { batch in
            for row in batch.rows.indices {
                for attribute in again.schema.entities[0].attributes {
                    switch try batch.value(row: row, of: attribute) {
                    case .binary(let data)?: found += data.map { "\($0)" }.joined()
                    case .string(let text)?: found += text
                    default: found += "NULL"
                    }
                }
            }
            return true
        }
        return found
    }

    /// The names of all files and folders beside the exported file.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// Renames what an export renames before the file itself.
    private func begin(_ options: ExportOptions) throws -> FilesBeside.Output {
        let beside = try #require(FilesBeside(.path(path, format: nil, replacing: true), options))
        let plan = try ExportPlan(
            schema: Self.model.resolved(), options: options, identifiers: .whereNeeded)
        let output = try beside.begin(ExportSidecar(plan, options, .csv, file: beside.name))
        if let values = output.values {
            let byte: [UInt8] = [2]
            _ = try byte.withUnsafeBufferPointer {
                try values.save($0, as: ValueFolder.Name(entity: "Photo", property: "data", key: 1))
            }
        }
        try output.beginRenames()
        return output
    }

    @Test(arguments: ExportOptions.BlobPlace.allCases)
    func `An import between the renames is refused`(_ blobs: ExportOptions.BlobPlace) throws {
        try export(1, options(blobs))
        #expect(try imported() == "1=1")
        let output = try begin(options(blobs))
        #expect(try imported().contains("an export was interrupted"))
        withExtendedLifetime(output) {}
    }

    @Test func `Without a new folder of values the old sidecar comes back`() throws {
        try export(1, options(.inline))
        do { _ = try begin(options(.inline)) }
        #expect(try imported() == "1=1")
    }

    @Test func `With a new folder of values the old folder comes back with the old sidecar`() throws {
        try export(1, options(.files))
        let names = try names()
        do { _ = try begin(options(.files)) }
        #expect(try imported() == "1=1")
        #expect(try self.names() == names)
        try export(3, options(.files), replacing: true)
        #expect(try imported() == "3=3")
    }

    /// The old sidecar has the column `data`, which the new one lacks.
    @Test(arguments: ExportOptions.BlobPlace.allCases)
    func `If the new sidecar cannot get its name, all old files come back`(_ blobs: ExportOptions.BlobPlace) throws {
        try export(1, options(blobs))
        let names = try names()
        var changed = options(blobs)
        changed.columns = ["name"]
        do {
            let output = try begin(changed)
            for name in try self.names() where name.hasPrefix("photos.csv.granary.json.") {
                let file = folder.url.appending(path: name)
                let text = try String(contentsOf: file, encoding: .utf8)
                if !text.contains("\"data\"") { try FileManager.default.removeItem(at: file) }
            }
            let table = try ByteOutput.file(path, replacing: true)
            table.append("name\n=9\n")
            table.afterPublishing = { () throws(GranaryError) in try output.finish() }
            #expect(throws: GranaryError.self) { try table.finish() }
            #expect(try imported().contains("an export was interrupted"))
            withExtendedLifetime(table) {}
        }
        #expect(try imported() == "1=1")
        #expect(try self.names() == names)
    }

    @Test(arguments: ExportOptions.BlobPlace.allCases)
    func `A complete export leaves no marker and no other files`(_ blobs: ExportOptions.BlobPlace) throws {
        for byte: UInt8 in [1, 2] { try export(byte, options(blobs), replacing: byte > 1) }
        #expect(try imported() == "2=2")
        let values = blobs == .files ? ["photos.csv.blobs"] : []
        #expect(try names() == (["photos.csv"] + values + ["photos.csv.granary.json"]).sorted())
    }
}
