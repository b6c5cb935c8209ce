import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Binary data with external storage") struct ExternalDataTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let name = "619F5BBC-799D-44E4-8B9F-49AC950CD416"

    init() throws {
        folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Photo",
                [
                    .attribute("data", .binary, .externalStorage), .attribute("plain", .binary),
                    .attribute("shape", .transformable, .externalStorage),
                ])
        ])
        store = try SQLiteStore.openOrCreate(path: folder.storePath, schema: try model.resolved())
    }

    private func value(_ key: Int64) throws -> AttributeValue? {
        try store.read(root: 0, keys: [key]).value(row: 0, of: store.schema.entities[0].attributes[0])
    }

    private func insert(_ key: Int64, blob: String) throws {
        try store.connection.execute("INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (\(key), 1, 1, \(blob))")
    }

    /// The blob of a file name: `02`, the name, `00`.
    private func externalBlob(_ name: String) -> String {
        "x'02\(name.utf8.map { String(format: "%02X", $0) }.joined())00'"
    }

    @Test("Inline values are written with a tag byte and read without it", arguments: [0, 1, 50_000])
    func inline(_ count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 3)
        for slot in 0..<3 { AttributeValue.binary(data).withBorrowed { batch.set($0, row: row, slot: slot) } }
        try store.transaction { try $0.insert(batch) }
        #expect(try value(1) == .binary(data))
        let query =
            "SELECT length(ZDATA) || ' ' || hex(substr(ZDATA, 1, 1)) || ' ' || length(ZPLAIN) || ' ' || length(ZSHAPE)"
        #expect(try store.connection.text("\(query) FROM ZPHOTO") == "\(count + 1) 01 \(count) \(count + 1)")
        // An update does not add the tag twice.
        let read = try store.read(root: 0, keys: [1])
        try store.transaction { try $0.update(read) }
        #expect(try value(1) == .binary(data))
    }

    @Test("A value in a file is read")
    func file() throws {
        let external = folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: external.appending(path: name))
        try insert(1, blob: externalBlob(name))
        #expect(try value(1) == .binary(Data([1, 2, 3])))
        // An update without changes keeps the file, although the value is short.
        var read = try store.read(root: 0, keys: [1])
        try store.transaction { try $0.update(read) }
        #expect(try store.connection.text("SELECT substr(ZDATA, 2, 36) FROM ZPHOTO") == name)
        // A new value of this length is stored inline.
        AttributeValue.binary(Data([4])).withBorrowed { read.set($0, row: 0, slot: 0) }
        try store.transaction { try $0.update(read) }
        #expect(try store.connection.text("SELECT hex(ZDATA) FROM ZPHOTO") == "0104")
        #expect(!FileManager.default.fileExists(atPath: external.appending(path: name).path))
    }

    @Test(
        "Names with paths, unknown tags and missing tags are refused",
        arguments: [
            "../../../../../../etc/hostname", "", "x", "619F5BBC-799D-44E4-8B9F-49AC950CD41/", "..",
            "619F5BBC-799D-44E4-8B9F-49AC950CD416/../..",
        ])
    func hostileNames(_ name: String) throws {
        try insert(1, blob: externalBlob(name))
        let error = #expect(throws: GranaryError.self) { try value(1) }
        #expect(error?.diagnostics.first?.code == .storeCorrupt)
    }

    @Test("Blobs with other tags are refused", arguments: ["x''", "x'00'", "x'03616263'", "x'FF'", "x'02'"])
    func tags(_ blob: String) throws {
        try insert(1, blob: blob)
        let error = #expect(throws: GranaryError.self) { try value(1) }
        #expect(error?.diagnostics.first?.code == .storeCorrupt)
    }

    @Test("A missing file and a file that is not regular are refused")
    func noFile() throws {
        try insert(1, blob: externalBlob(name))
        let missing = #expect(throws: GranaryError.self) { try value(1) }
        #expect(missing?.code == .unreadable)
        let diagnostic = missing?.diagnostics.first
        #expect(diagnostic?.entity == "Photo" && diagnostic?.property == "data")
        #expect(diagnostic?.message.contains("p1") == true)
        #expect(diagnostic?.message.contains(".Store_SUPPORT/_EXTERNAL_DATA/") == true)
        let external = folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
        let secret = try folder.write("secret", to: "secret")
        try FileManager.default.createSymbolicLink(at: external.appending(path: name), withDestinationURL: secret)
        let link = #expect(throws: GranaryError.self) { try value(1) }
        #expect(link?.diagnostics.first?.code == .storeCorrupt)
    }

    @Test("Text in the column is read as its bytes, which begin with a tag byte")
    func textInTheColumn() throws {
        try insert(1, blob: "char(1) || 'text'")
        #expect(try value(1) == .binary(Data("text".utf8)))
        try insert(2, blob: "'text'")
        let error = #expect(throws: GranaryError.self) { try value(2) }
        let diagnostic = error?.diagnostics.first
        #expect(diagnostic?.code == .storeCorrupt && diagnostic?.property == "data")
        #expect(diagnostic?.message.hasPrefix("p2: ") == true && diagnostic?.message.contains("tag byte") == true)
    }
}
