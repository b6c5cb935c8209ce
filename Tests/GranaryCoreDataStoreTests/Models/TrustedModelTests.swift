import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Models that match a store only in part") struct TrustedModelTests {
    private let library: CheckedLibrary

    init() throws { library = try CheckedLibrary() }

    private func setCache(_ model: ManagedObjectModel) throws {
        let connection = try Connection(path: library.folder.storePath, mode: .readWrite)
        try connection.withStatement("UPDATE Z_MODELCACHE SET Z_CONTENT = ?") { statement in
            try ModelCache.write(model).withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        try connection.close()
    }

    private func setHashes(from schema: Schema, but names: [String]) throws {
        var hashes = schema.versionHashes
        for name in names { hashes[name] = Data(repeating: 7, count: 32) }
        let metadata = try SQLiteStore.open(
            path: library.folder.storePath, schema: schema, readOnly: true, comparesHashes: false
        ).metadata
        let list = hashes.sorted { $0.key < $1.key }.map { PropertyListEntry($0.key, .data(Array($0.value))) }
        let entries = metadata.entries.map { entry in
            entry.key == "NSStoreModelVersionHashes" ? PropertyListEntry(entry.key, .dictionary(list)) : entry
        }
        let bytes = try PropertyList.write(.dictionary(entries), as: .binary)
        let connection = try Connection(path: library.folder.storePath, mode: .readWrite)
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?") { statement in
            try bytes.withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        try connection.close()
    }

    private func read(_ given: ManagedObjectModel? = nil) throws -> StoreModel {
        try StoreModel.read(path: library.folder.storePath, given: given)
    }

    @Test("A store with some of the model's entities is read with those entities")
    func part() throws {
        var whole = CheckedLibrary.model
        whole.entities.append(EntityDescription("Zebra", [.attribute("stripes", .integer16)]))
        whole.entities.append(EntityDescription("Aardvark", [.attribute("name", .string)]))
        try setCache(whole)
        for model in [try read(), try read(whole)] {
            #expect(model.schema.entities.map(\.name) == ["Author", "Badge", "Book", "Novel", "Prize", "Tag"])
            #expect(model.warnings.map(\.severity) == [.note])
            let store = try SQLiteStore.open(path: library.folder.storePath, schema: model.schema, readOnly: true)
            #expect(try store.count(entity: 0) == 2)
        }
        #expect(try read().source == .cache)
        // Writing requires the exact model.
        let strict = try StoreModel.read(path: library.folder.storePath, given: whole, allowsPart: false)
        #expect(strict.schema.entities.count == 8)
        // Another model with the same names does not match.
        whole.entities[0].attributes[0].isOptional = true
        try setCache(whole)
        #expect(try read().source == .inferred)
    }

    @Test("A version hash with unknown rules does not prevent the use of the store's model")
    func unconfirmedHash() throws {
        let folder = library.folder
        try FileManager.default.removeItem(atPath: folder.storePath)
        var model = CheckedLibrary.model
        model.entities[5].attributes.append(AttributeDescription(name: "code", type: .binary))
        model.entities[5].attributes[1].allowsExternalBinaryDataStorage = true
        model.entities[5].attributes[1].preservesValueInHistoryOnDeletion = true
        let schema = try model.resolved()
        #expect(schema.entities.map(schema.hasUnconfirmedHash) == [false, false, false, false, false, true])
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        try setHashes(from: schema, but: ["Tag"])
        for found in [try read(), try read(model)] {
            #expect(!found.comparesHashes)
            #expect(found.warnings.map(\.severity) == [.warning])
            _ = try SQLiteStore.open(
                path: folder.storePath, schema: found.schema, comparesHashes: found.comparesHashes)
        }
        #expect(try read().source == .cache)
        // A model that is not the store's, and a hash with known rules.
        var other = model
        other.entities[5].attributes[0].isOptional.toggle()
        #expect(try read(other).comparesHashes)
        try setHashes(from: schema, but: ["Tag", "Badge"])
        #expect(try read().source == .inferred)
    }

    @Test("Hashes with unknown rules")
    func kinds() throws {
        let cases: [([PropertyDescription], Bool)] = [
            ([.attribute("a", .string, .derived("b.name"))], false),
            ([.attribute("a", .date, .derived("now()"))], true),
            ([.attribute("a", .integer64, .derived("bs.@count"))], false), ([.attribute("\u{e9}", .string)], true),
            ([.toMany("friends", "E", inverse: "friends")], false),
            ([.attribute("a", .binary, .externalStorage)], false),
        ]
        for (properties, expected) in cases {
            let own: [PropertyDescription] = [
                .attribute("name", .string), .toOne("b", "E", inverse: nil), .toMany("bs", "E", inverse: nil),
            ]
            let model = ManagedObjectModel(entities: [
                EntityDescription("E", own + properties), EntityDescription("F", [], superentity: "E"),
            ])
            let schema = try model.resolved()
            #expect(schema.entities.map(schema.hasUnconfirmedHash) == [expected, expected])
        }
    }
}
