package import Foundation
import GranaryContexts
package import GranaryCoordination
package import GranaryCoreDataStore
import GranaryInspection
package import GranaryModel
import GranaryPredicates
import GranarySQLite
package import TestSupport
import Testing

/// A store of photos, some of whose attributes have external storage.
package struct ExternalBench {
    package static let model = ManagedObjectModel(entities: [
        EntityDescription("Badge", [.attribute("seal", .binary, .externalStorage)], unique: [["seal"]]),
        EntityDescription(
            "Photo",
            [
                .attribute("data", .binary, .externalStorage), .attribute("plain", .binary),
                .attribute("shape", .transformable, .externalStorage),
            ]),
    ])
    package static let badge = 0
    package static let photo = 1

    package let folder: TemporaryFolder
    package let store: SQLiteStore

    package init(_ folder: TemporaryFolder, inTheMaking: Bool = false) throws {
        self.folder = folder
        let schema = try Self.model.resolved()
        store =
            inTheMaking
            ? try SQLiteStore.create(path: folder.storePath, schema: schema)
            : try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
    }

    package init() throws { try self.init(try TemporaryFolder()) }

    package var external: URL { folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA") }

    /// The file names in `_EXTERNAL_DATA`; empty if the folder does not exist.
    package var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: external.path)) ?? []).sorted()
    }

    /// The file names in the store's folder.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Bytes that differ for each seed.
    package static func bytes(_ count: Int, seed: UInt8 = 0) -> Data {
        var data = Data(repeating: seed, count: count)
        // A value may begin with the byte that is the tag of file names.
        if count > 0 { data[0] = 2 }
        return data
    }

    package static let long = ExternalData.inlineLimit + 1

    /// A row with values by slot.
    package static func row(_ entity: Int, _ key: Int64, version: Int64 = 1, _ values: [Int: Data]) -> RowBatch {
        var batch = RowBatch()
        let row = batch.appendRow(
            entity: entity, key: key, version: version, slotCount: entity == badge ? 1 : 3)
        for (slot, data) in values {
            AttributeValue.binary(data).withBorrowed { batch.set($0, row: row, slot: slot) }
        }
        return batch
    }

    package func insert(_ key: Int64, _ values: [Int: Data]) throws {
        try store.transaction { try $0.insert(Self.row(Self.photo, key, values)) }
    }

    package func update(_ key: Int64, _ values: [Int: Data]) throws {
        try store.transaction { try $0.update(Self.row(Self.photo, key, version: 2, values)) }
    }

    /// The value of an attribute of a photo.
    package func value(_ key: Int64, slot: Int = 0) throws -> Data? {
        let batch = try store.read(root: Self.photo, keys: [key])
        try #require(batch.rows.count == 1)
        guard case .binary(let data)? = try batch.value(row: 0, of: store.schema.entities[Self.photo].attributes[slot])
        else { return nil }
        return data
    }

    /// `length tag name` of a photo's data in the column.
    package func column(_ key: Int64, _ name: String = "ZDATA") throws -> String? {
        try store.connection.text(
            "SELECT length(\(name)) || ' ' || hex(substr(\(name), 1, 1)) || ' ' || "
                + "CASE WHEN length(\(name)) = 38 THEN substr(\(name), 2, 36) || hex(substr(\(name), 38)) ELSE '' END "
                + "FROM ZPHOTO WHERE Z_PK = \(key)")
    }
}
