import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset

/// Decisions on values in files of external data.
@Suite struct AnonymisedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let marker = Array("a hidden marker".utf8)

    private func documents() throws -> SQLiteStore {
        let document = EntityDescription(
            "Document", [.attribute("photo", .binary, .externalStorage), .attribute("title", .string)])
        let schema = try ManagedObjectModel(entities: [document]).resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema)
        var random = SeededGenerator(seed: 3)
        try store.transaction { writer in
            var batch = RowBatch()
            for number in 0..<3 {
                let row = batch.appendRow(entity: 0, key: Int64(number + 1), version: 1, slotCount: 2)
                let noise = (0..<75_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                for attribute in schema.entities[0].attributes {
                    let value: AttributeValue =
                        attribute.type == .binary ? .binary(Data(noise + Self.marker + noise)) : .string("title")
                    value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
                }
            }
            try writer.insert(batch)
        }
        try store.publish()
        return store
    }

    /// - Returns: the number of files with the marker, and the report.
    private func subset(_ decision: String) throws -> (marked: Int, report: SubsetReport) {
        let source = try documents()
        let place = folder.url.appending(path: "out")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        var options = SubsetOptions()
        options.selections = [.init("Document")]
        let text = "Document.photo: \(decision)\nDocument.title: keep\n"
        options.rules = try AnonymisationRules(path: try folder.write(text, to: "rules.yaml").path)
        options.randomSeed = 1
        let report = try Subset(options: options).run(
            path: source.path, model: source.schema.model, to: place.appending(path: "Out.sqlite").path)
        let found = try #require(FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil))
        var marked = 0
        for case let url as URL in found where !url.hasDirectoryPath {
            if try Data(contentsOf: url).range(of: Data(Self.marker)) != nil { marked += 1 }
        }
        return (marked, report)
    }

    @Test(arguments: [("keep", 3), ("null", 0), ("replace", 0)])
    func aReplacedFileIsNotCopied(decision: String, marked: Int) throws {
        let (found, report) = try subset(decision)
        #expect(found == marked)
        #expect(report.search?.values == (decision == "keep" ? 0 : 3))
        #expect(report.search?.files == (decision == "null" ? 1 : 4), "\(String(describing: report.search))")
    }

    @Test func aCopyIsPrivateAndIsRemoved() throws {
        let source = try documents()
        var options = SubsetOptions()
        options.rules = try AnonymisationRules(
            path: try folder.write("Document.photo: \"null\"\nDocument.title: keep\n", to: "rules.yaml").path)
        var copy: AnonymisedCopy? = try AnonymisedCopy(of: source, options: options)
        let path = try #require(copy?.store.path)
        let place = URL(filePath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
        #expect(try copy?.store.count(entity: 0) == 3)
        copy = nil
        #expect(!FileManager.default.fileExists(atPath: place))
    }
}
