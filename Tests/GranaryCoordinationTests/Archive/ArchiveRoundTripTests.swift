import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

@Suite("Reopened archives") struct ArchiveRoundTripTests {
    /// The content of a store.
    private struct Snapshot: Equatable {
        struct Row: Equatable {
            let entity: Int32
            let key: Int64
            let version: Int64
            let values: [AttributeValue?]
            let references: [StoredCell]
        }

        var rows: [Row] = []
        var links: [[Link]] = []

        init(_ store: any StoreBackend) throws {
            for entity in store.schema.entities {
                try store.read(entities: entity.index..<entity.index + 1, batchSize: 3) { batch in
                    for row in batch.rows.indices {
                        let header = batch.rows[row]
                        var values: [AttributeValue?] = []
                        for attribute in entity.attributes { values.append(try batch.value(row: row, of: attribute)) }
                        var references: [StoredCell] = []
                        for relationship in entity.relationships { references.append(batch[row, relationship.slot]) }
                        rows.append(
                            Row(
                                entity: header.entity, key: header.key, version: header.version, values: values,
                                references: references))
                    }
                    return true
                }
                for relationship in entity.relationships
                where relationship.isToMany && relationship.owner == entity.index {
                    var found: [Link] = []
                    try store.readLinks(of: relationship, owners: nil) { found.append($0) }
                    links.append(found)
                }
            }
        }
    }

    /// A bench with an archive in an encoding.
    private static func bench(_ encoding: PropertyListEncoding) throws -> StoreBench {
        try StoreBench(
            StoreFactory(name: encoding.rawValue) { schema in
                let folder = try KeptFolders.make()
                return OpenedStore(
                    store: try ArchiveStore.openOrCreate(
                        path: folder.archivePath, schema: schema, encoding: encoding),
                    folder: folder)
            })
    }

    /// Whether XML can represent the value, and it is not a test of size.
    private static func isHeldByXML(_ value: AttributeValue) -> Bool {
        switch value {
        case .string(let text): !text.utf8.contains(0) && text.utf8.count < 1_000
        case .date(let date): date.timeIntervalSinceReferenceDate < 1e11
        case .binary(let data): data.count < 1_000
        default: true
        }
    }

    @Test(
        "Values of every type, links of every kind, versions and keys are the same after reopening",
        arguments: PropertyListEncoding.allCases)
    func everything(_ encoding: PropertyListEncoding) throws {
        let bench = try Self.bench(encoding)
        let archive = try #require(bench.store as? ArchiveStore)
        try bench.store.transaction { writer in
            var key: Int64 = 0
            for (name, values) in ConformanceModel.values {
                for value in values where Self.isHeldByXML(value) {
                    key += 3
                    try writer.insert(try bench.row("Values", key, version: key, [name: value]))
                }
            }
            let exact = Decimal(string: "0.12345678901234567890123456789012345678") ?? 0
            try writer.insert(try bench.row("Values", 1, ["decimal": .decimal(exact)]))
        }
        try bench.insertNodes(6)
        try bench.store.transaction { writer in
            try writer.insert(
                try bench.row("Leaf", 9, ["weight": 0.1], references: ["pointer": ("Leaf", 9), "parent": ("Node", 6)]))
            for key in [1, 2, 3] { try writer.insert(try bench.row("Tag", Int64(key), ["text": "<&>"])) }
            try writer.insert(try bench.row("Bank", 1))
            let bank = ["bank": ("Bank", Int64(1))]
            try writer.insert(try bench.row("Savings", 2, ["email": "a@b", "number": 7], references: bank))
        }
        try bench.setLinks("members", 1, [4, 2, 3])
        try bench.setLinks("likes", 1, [2, 1, 5])
        try bench.setLinks("friends", 1, [2, 1, 3])
        try bench.setLinks("reviewers", 1, [4, 3])
        try bench.setLinks("reviewers", 2, [3, 4])
        try bench.setLinks("reviews", 3, [2, 1])
        try bench.setLinks("reviews", 4, [1, 2])
        try bench.setLinks("ranks", 3, [5, 2])
        try bench.setLinks("tags", 2, [3, 1])
        try bench.setLinks("keeps", 6, [1, 6])

        let before = try Snapshot(archive)
        let bytes = try Data(contentsOf: URL(filePath: archive.path))
        let again = try ArchiveStore.open(path: archive.path, schema: bench.schema)
        let after = try Snapshot(again)
        #expect(after.rows == before.rows)
        #expect(after.links == before.links)
        #expect(again.encoding == encoding)
        #expect(again.identifier == archive.identifier)
        #expect(again.metadata.entries == archive.metadata.entries)
        // Writing again without changes gives the same bytes.
        try again.transaction { _ in }
        #expect(try Data(contentsOf: URL(filePath: archive.path)) == bytes)
        #expect(try ArchiveStore.open(path: archive.path, schema: bench.schema, readOnly: true).isReadOnly)
    }

    @Test("Keys are not reused, even after the store is closed", arguments: PropertyListEncoding.allCases)
    func keys(_ encoding: PropertyListEncoding) throws {
        let sample = try ArchiveSample(encoding)
        let first = try sample.open().transaction { try $0.reserveKeys(root: 1, count: 5) }
        let next = try sample.open().transaction { try $0.reserveKeys(root: 1, count: 1) }
        let author = try sample.open().transaction { try $0.reserveKeys(root: 0, count: 1) }
        #expect([first, next, author] == [3, 8, 2])
    }

    @Test("The app's metadata are kept; the identifier cannot be changed")
    func metadata() throws {
        let sample = try ArchiveSample(.xml)
        let store = try sample.open()
        #expect(store.metadata["NSStoreType"]?.string == "Archive")
        #expect(store.metadata.versionHashes == sample.schema.versionHashes)
        try store.setMetadata(
            store.metadata.entries + [
                PropertyListEntry("Answer", .integer(42)), PropertyListEntry("NSStoreUUID", .string("x")),
            ])
        let read = try ArchiveStore.metadata(path: sample.path)
        #expect(read["Answer"]?.integer == 42)
        #expect(read.identifier == store.identifier)
        #expect(try sample.open().metadata.entries == store.metadata.entries)
        #expect(try sample.titles(sample.open()) == ["A", "B"])
    }

    @Test("A value that is missing or NULL in a row is NULL")
    func defaults() throws {
        let sample = try ArchiveSample(.xml)
        let store = try sample.open()
        var batch = RowBatch()
        batch.appendRow(entity: 1, key: 2, version: 2, slotCount: 3)
        batch[0, 2] = .reference(key: 1, entity: 0)
        try store.transaction { try $0.update(batch) }
        #expect(try sample.titles(sample.open()) == ["A"])
        let text = String(decoding: try sample.bytes, as: UTF8.self)
        let changed = text.replacing("<key>$null</key>", with: "<key>$not</key>", maxReplacements: 1)
        #expect(changed != text)
        _ = try sample.folder.write(changed, to: "Store.plist")
        #expect(sample.refusal()?.diagnostics.map(\.code) == [.headerUnknown])
        let silent = text.replacing(
            #/\s*<key>\$null</key>\s*<array>\s*<string>title</string>\s*</array>/#, with: "")
        #expect(silent != text)
        _ = try sample.folder.write(silent, to: "Store.plist")
        #expect(try sample.titles(sample.open()) == ["A"])
    }
}
