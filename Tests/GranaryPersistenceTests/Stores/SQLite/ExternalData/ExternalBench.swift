import Foundation
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranarySQLite
import TestSupport
import Testing

/// A store of photos, some of whose attributes have external storage.
struct ExternalBench {
    static let model = ManagedObjectModel(entities: [
        EntityDescription("Badge", [.attribute("seal", .binary, .externalStorage)], unique: [["seal"]]),
        EntityDescription(
            "Photo",
            [
                .attribute("data", .binary, .externalStorage), .attribute("plain", .binary),
                .attribute("shape", .transformable, .externalStorage),
            ]),
    ])
    static let badge = 0
    static let photo = 1

    let folder: TemporaryFolder
    let store: SQLiteStore

    init(_ folder: TemporaryFolder, inTheMaking: Bool = false) throws {
        self.folder = folder
        let schema = try Self.model.resolved()
        store =
            inTheMaking
            ? try SQLiteStore.create(path: folder.storePath, schema: schema)
            : try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
    }

    init() throws { try self.init(try TemporaryFolder()) }

    var external: URL { folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA") }

    /// The names in `_EXTERNAL_DATA`; none where there is no such folder.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: external.path)) ?? []).sorted()
    }

    /// The names in the store's own folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Bytes that differ for each seed.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> Data {
        var data = Data(repeating: seed, count: count)
        // The tag of a file's name is a value's byte like any other.
        if count > 0 { data[0] = 2 }
        return data
    }

    static let long = ExternalData.inlineLimit + 1

    /// A row of the entity with values by slot.
    static func row(_ entity: Int, _ key: Int64, version: Int64 = 1, _ values: [Int: Data]) -> RowBatch {
        var batch = RowBatch()
        let row = batch.appendRow(
            entity: entity, key: key, version: version, slotCount: entity == badge ? 1 : 3)
        for (slot, data) in values {
            AttributeValue.binary(data).withBorrowed { batch.set($0, row: row, slot: slot) }
        }
        return batch
    }

    func insert(_ key: Int64, _ values: [Int: Data]) throws {
        try store.transaction { try $0.insert(Self.row(Self.photo, key, values)) }
    }

    func update(_ key: Int64, _ values: [Int: Data]) throws {
        try store.transaction { try $0.update(Self.row(Self.photo, key, version: 2, values)) }
    }

    /// The value of a photo's attribute.
    func value(_ key: Int64, slot: Int = 0) throws -> Data? {
        let batch = try store.read(root: Self.photo, keys: [key])
        try #require(batch.rows.count == 1)
        guard case .binary(let data)? = try batch.value(row: 0, of: store.schema.entities[Self.photo].attributes[slot])
        else { return nil }
        return data
    }

    /// `length tag name` of a photo's data as the column has it.
    func column(_ key: Int64, _ name: String = "ZDATA") throws -> String? {
        try store.connection.text(
            "SELECT length(\(name)) || ' ' || hex(substr(\(name), 1, 1)) || ' ' || "
                + "CASE WHEN length(\(name)) = 38 THEN substr(\(name), 2, 36) || hex(substr(\(name), 38)) ELSE '' END "
                + "FROM ZPHOTO WHERE Z_PK = \(key)")
    }
}
