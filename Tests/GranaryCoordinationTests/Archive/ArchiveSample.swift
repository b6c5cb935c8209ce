import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

/// A small archive: an author with two ordered books.
struct ArchiveSample {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Author", [.attribute("name", .string), .toMany("books", "Book", inverse: "author", .ordered)]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .defaultValue("untitled")), .attribute("year", .integer16),
                .toOne("author", "Author", inverse: "books"),
            ], unique: [["title"]]),
    ])

    let folder: TemporaryFolder
    let schema: Schema
    let encoding: PropertyListEncoding

    /// Creates the file.
    init(_ encoding: PropertyListEncoding) throws {
        self.encoding = encoding
        folder = try TemporaryFolder()
        schema = try Self.model.resolved()
        let store = try open()
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 2)
        set("Ann", 0, 0, &batch)
        for (row, title) in [(1, "A"), (2, "B")] {
            batch.appendRow(entity: 1, key: Int64(row), version: 1, slotCount: 3)
            set(.string(title), row, 0, &batch)
            batch[row, 2] = .reference(key: 1, entity: 0)
        }
        set(1999, 1, 1, &batch)
        let books = try #require(schema.entities[0].relationship(named: "books"))
        try store.transaction { writer in
            try writer.reserveKeys(root: 0, through: 1)
            try writer.reserveKeys(root: 1, through: 2)
            try writer.insert(batch)
            try writer.setLinks(
                books, owner: 1, ownerEntity: 0,
                to: [2, 1].map { Link(owner: 1, entity: 1, destination: $0) })
        }
    }

    private func set(_ value: AttributeValue, _ row: Int, _ slot: Int, _ batch: inout RowBatch) {
        value.withBorrowed { batch.set($0, row: row, slot: slot) }
    }

    var path: String { folder.archivePath }

    var bytes: Data {
        get throws { try Data(contentsOf: URL(filePath: path)) }
    }

    func open(readOnly: Bool = false) throws -> ArchiveStore {
        try ArchiveStore.openOrCreate(path: path, schema: schema, encoding: encoding, readOnly: readOnly)
    }

    /// The diagnostics of opening the file.
    func refusal() -> GranaryError? {
        #expect(throws: GranaryError.self) { try ArchiveStore.open(path: path, schema: schema) }
    }

    /// Changes the title of the second book in a transaction.
    func rename(in store: ArchiveStore, to title: String, version: Int64 = 2) throws {
        var batch = RowBatch()
        batch.appendRow(entity: 1, key: 2, version: version, slotCount: 3)
        set(.string(title), 0, 0, &batch)
        batch[0, 2] = .reference(key: 1, entity: 0)
        try store.transaction { try $0.update(batch) }
    }

    /// The titles of the books by key.
    func titles(_ store: ArchiveStore) throws -> [String] {
        var titles: [String] = []
        try store.read(entities: 1..<2, batchSize: 10) { batch in
            for row in batch.rows.indices {
                guard case .string(let title)? = try batch.value(row: row, of: schema.entities[1].attributes[0])
                else { continue }
                titles.append(title)
            }
            return true
        }
        return titles
    }
}
