import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranarySQLite
import TestSupport
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// Exports whose rows are formatted by several threads, beside the same exports by one.
@Suite struct SplitExportTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item",
            [
                .attribute("code", .string), .attribute("number", .integer32), .attribute("price", .double),
                .attribute("day", .date), .attribute("flag", .boolean), .attribute("data", .binary, .externalStorage),
                .attribute("cost", .decimal), .attribute("token", .uuid),
                .toOne("parent", "Item", inverse: "children"), .toMany("children", "Item", inverse: "parent"),
                .toMany("tags", "Tag", inverse: "items", .ordered),
            ], unique: [["code"]]),
        EntityDescription("Part", [.attribute("weight", .float)], superentity: "Item"),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("items", "Item", inverse: "tags")], unique: [["word"]]),
    ])

    private let folder: TemporaryFolder
    private let schema: Schema

    init() throws {
        folder = try TemporaryFolder()
        schema = try Self.model.resolved()
    }

    private var path: String { folder.url.appending(path: "Store.sqlite").path }

    /// Makes a store file, changes it, and opens it as an export does: large external files are read on demand.
    private func store(_ count: Int, then sql: String? = nil) throws -> SQLiteStore {
        try make(count)
        if let sql {
            let connection = try Connection(path: path, mode: .readWrite)
            try connection.execute(sql)
            try connection.close()
        }
        let opened = try SQLiteStore.open(path: path, schema: schema, readOnly: true)
        opened.leavesFiles = true
        return opened
    }

    /// - Parameter count: the number of items; every third one is a part.
    private func make(_ count: Int) throws {
        let made = try SQLiteStore.create(path: path, schema: schema)
        var random = SeededGenerator(seed: 7)
        let words = ["plain", "a;b", "a,b", "say \"x\"", "line\nend", "é", ""]
        try made.transaction { writer in
            let (item, part, tag) = (try entity("Item"), try entity("Part"), try entity("Tag"))
            try writer.reserveKeys(root: item.root, through: Int64(count))
            try writer.reserveKeys(root: tag.root, through: Int64(words.count))
            var tagRows = RowBatch()
            for (index, word) in words.enumerated() {
                let row = tagRows.appendRow(
                    entity: tag.index, key: Int64(index + 1), version: 1, slotCount: tag.slotCount)
                try set(.string(word), "word", of: tag, row, &tagRows)
            }
            try writer.insert(tagRows)
            var batch = RowBatch()
            for key in 1...max(1, count) {
                let kind = key % 3 == 0 ? part : item
                let row = batch.appendRow(entity: kind.index, key: Int64(key), version: 1, slotCount: kind.slotCount)
                try set(.string("c\(key)"), "code", of: kind, row, &batch)
                guard random.next() % 5 > 0 else { continue }
                try set(.integer(Int64(random.next() % 1000) - 500), "number", of: kind, row, &batch)
                try set(.double(Double(random.next() % 100_000) / 64), "price", of: kind, row, &batch)
                try set(.boolean(random.next() % 2 == 0), "flag", of: kind, row, &batch)
                let day = Date(timeIntervalSinceReferenceDate: Double(random.next() % 1_000_000_000) / 1000)
                try set(.date(day), "day", of: kind, row, &batch)
                let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(key % 256)))
                try set(.uuid(token), "token", of: kind, row, &batch)
                // Most are in the row, and some in files.
                let size = key % 40 == 7 ? ExternalData.inlineLimit + key : key % 50
                try set(.binary(Data(repeating: UInt8(key % 256), count: size)), "data", of: kind, row, &batch)
                let parent = try #require(kind.relationship(named: "parent"))
                let other = Int64(random.next() % UInt64(count)) + 1
                batch[row, parent.slot] = .reference(
                    key: other, entity: Int32(other % 3 == 0 ? part.index : item.index))
            }
            try writer.insert(batch)
            let tags = try #require(item.relationship(named: "tags"))
            for key in 1...max(1, count) where key % 4 < 3 {
                let links = (0..<key % 4).map { place in
                    Link(owner: Int64(key), entity: tag.index, destination: Int64((key + place) % words.count) + 1)
                }
                try writer.setLinks(
                    tags, owner: Int64(key), ownerEntity: key % 3 == 0 ? part.index : item.index, to: links)
            }
        }
        try made.publish()
    }

    private func entity(_ name: String) throws -> Schema.Entity { try #require(schema.entity(named: name)) }

    private func set(
        _ value: AttributeValue, _ name: String, of entity: Schema.Entity, _ row: Int, _ batch: inout RowBatch
    ) throws {
        let attribute = try #require(entity.attribute(named: name))
        value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
    }

    private func options(_ entities: [String], _ batchSize: Int, _ reference: ExportOptions.ReferenceStyle)
        -> ExportOptions
    {
        var options = ExportOptions()
        options.entities = entities
        options.batchSize = batchSize
        options.reference = reference
        options.identifiers = .always
        return options
    }

    @Test(arguments: [7], [ExportOptions.ReferenceStyle.key])
    func theSameBytes(_ batchSize: Int, _ reference: ExportOptions.ReferenceStyle) throws {
        let store = try store(150)
        for shape in [JSONWriter.Shape.document, .array, .lines] {
            var options = options(shape == .document ? [] : ["Item"], batchSize, reference)
            options.combinesSubentities = shape != .document
            var writing = JSONWriter.Options()
            writing.shape = shape
            let one = try ExportSamples.text {
                try Exporter(options: options).run(store, into: PlainWriter(JSONWriter($0, options: writing)))
            }
            let several = try ExportSamples.text {
                try Exporter(options: options).run(store, into: JSONWriter($0, options: writing))
            }
            #expect(one == several)
        }
        for entities in [["Item"], ["Part"], ["Tag"]] {
            var options = options(entities, batchSize, reference)
            options.combinesSubentities = true
            let one = try ExportSamples.text {
                try Exporter(options: options).run(store, into: PlainWriter(CSVWriter($0)))
            }
            let several = try ExportSamples.csv(store, options)
            #expect(one == several)
            #expect(several.utf8.count > 20)
        }
    }

    /// A batch with a very large value is formatted by the reading thread, between the others.
    @Test func largeRowsBetweenSmallOnes() throws {
        let store = try store(
            60, then: "UPDATE ZITEM SET ZCODE = 'big' || hex(zeroblob(3000000)) || Z_PK WHERE Z_PK IN (1, 31, 59)")
        var options = options(["Item"], 5, .id)
        options.combinesSubentities = true
        let one = try ExportSamples.text {
            try Exporter(options: options).run(store, into: PlainWriter(JSONWriter($0)))
        }
        let several = try ExportSamples.json(store, options)
        #expect(one == several)
        #expect(several.utf8.count > 12_000_000)
    }

    /// The first error in the order of the rows, whichever thread finds another one earlier. Values are checked by the
    /// threads, and rows without an entity by the reader.
    @Test(arguments: [
        ["ZNUMBER = 'x'", "ZPRICE = 'y'"], ["ZNUMBER = 'x'", "Z_OPT = -1"], ["ZFLAG = 'x'", "ZPARENT = 'x'"],
        ["Z_OPT = -1", "ZNUMBER = 'x'"], ["ZDAY = 1e300", "ZPRICE = 'x'"],
    ])
    func theFirstErrorIsReported(_ assignments: [String]) throws {
        let keys = [40, 43]
        let changes = zip(assignments, keys).map { "UPDATE ZITEM SET \($0) WHERE Z_PK = \($1)" }
        let store = try store(100, then: changes.joined(separator: ";"))
        for batchSize in [1, 2, 16] {
            // With larger batches, both rows can be in one batch, whose rows are read before any is formatted.
            let options = options(["Item"], batchSize, .id)
            let target = folder.url.appending(path: "out-\(batchSize).json").path
            func failure(_ body: (ByteOutput) throws -> Void) throws -> GranaryError? {
                let output = try ByteOutput.file(target, replacing: true)
                do { try body(output) } catch { return error as? GranaryError }
                return nil
            }
            let one = try failure { _ = try Exporter(options: options).run(store, into: PlainWriter(JSONWriter($0))) }
            let several = try failure { _ = try Exporter(options: options).run(store, into: JSONWriter($0)) }
            let message = try #require(several?.message)
            #expect(message == one?.message)
            #expect(several?.code == one?.code)
            if batchSize < 3 { #expect(message.contains("p40") || message.contains("Z_PK 40"), "\(message)") }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    /// Numbers that attributes cannot have are noted by each thread, and reported in the order of the rows.
    @Test(arguments: [1, 3, 1024]) func theSameWarnings(_ batchSize: Int) throws {
        let store = try store(
            80,
            then:
                "UPDATE ZITEM SET ZNUMBER = 3000000000 + Z_PK WHERE Z_PK > 20; UPDATE ZITEM SET ZFLAG = 7 WHERE Z_PK % 5 = 1"
        )
        var options = options(["Item"], batchSize, .id)
        options.combinesSubentities = true
        var reports: [ExportReport] = []
        _ = try ExportSamples.text {
            reports.append(try Exporter(options: options).run(store, into: PlainWriter(JSONWriter($0))))
        }
        _ = try ExportSamples.text { reports.append(try Exporter(options: options).run(store, into: JSONWriter($0))) }
        #expect(reports.count == 2 && reports[0] == reports[1])
        #expect(reports[0].warnings.count == 4, "\(reports[0].warnings.map(\.message))")
    }

    @Test func anEmptyTable() throws {
        let store = try store(1, then: "DELETE FROM ZITEM; DELETE FROM ZTAG")
        let options = options(["Tag"], 3, .id)
        #expect(try ExportSamples.json(store, options) == "[]\n")
        #expect(try ExportSamples.csv(store, options).split(separator: "\n").count == 1)
    }

    @Test func aCancelledExportEnds() throws {
        let store = try store(50)
        var options = options(["Item"], 1, .id)
        let cancellation = Cancellation()
        cancellation.cancel()
        options.cancellation = cancellation
        let output = try ByteOutput.file(folder.url.appending(path: "out.json").path, replacing: true)
        let error = #expect(throws: GranaryError.self) {
            _ = try Exporter(options: options).run(store, into: JSONWriter(output))
        }
        #expect(error?.code == .interrupted)
    }

    /// Values that no import reads, because their records are too large.
    fileprivate func tooLarge() throws {
        let store = try store(60)
        let external = folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        let files = try FileManager.default.contentsOfDirectory(at: external, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 50 << 20)
            try handle.close()
        }
        var options = options(["Item"], 7, .id)
        options.columns = ["$id", "data"]
        options.combinesSubentities = true
        let output = try ByteOutput.file(folder.url.appending(path: "out.csv").path, replacing: false)
        let report = try Exporter(options: options).run(store, into: try CSVWriter(output))
        let warning = try #require(report.warnings.first { $0.code == .limitExceeded })
        #expect(warning.message.hasSuffix("an import rejects records of more than 64 MiB"), "\(warning.message)")
        #expect(warning.message.contains("the value has 52428800 bytes") && warning.help == "--blobs files")
    }
}

@Suite struct SplitExportLongTests {
    @Test(arguments: [1, 7, 1024], [ExportOptions.ReferenceStyle.key, .id])
    func theSameBytes(_ batchSize: Int, _ reference: ExportOptions.ReferenceStyle) throws {
        try SplitExportTests().theSameBytes(batchSize, reference)
    }

    @Test func valuesThatNoImportReads() throws { try SplitExportTests().tooLarge() }
}
