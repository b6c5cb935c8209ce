import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

@Suite("Saving archives") struct ArchiveSavingTests {
    /// The names of the files in the archive's folder.
    private func names(_ sample: ArchiveSample) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path).sorted()
    }

    @Test("Creating an archive writes the file and never replaces one", arguments: PropertyListEncoding.allCases)
    func creation(_ encoding: PropertyListEncoding) throws {
        let sample = try ArchiveSample(encoding)
        #expect(try names(sample) == ["Store.plist"])
        let again = try ArchiveStore.openOrCreate(
            path: sample.path, schema: sample.schema, encoding: encoding == .xml ? .binary : .xml)
        #expect(again.encoding == encoding)
        #expect(try sample.titles(again) == ["A", "B"])
    }

    @Test("A value that the format cannot represent is refused; the store and the file are unchanged")
    func refusedWrite() throws {
        let sample = try ArchiveSample(.xml)
        let store = try sample.open()
        let before = try sample.bytes
        let error = #expect(throws: GranaryError.self) { try sample.rename(in: store, to: "a\u{1}b") }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.first?.message.hasPrefix("Book/p2: ") == true)
        #expect(error?.diagnostics.first?.property == "title")
        #expect(try sample.bytes == before)
        #expect(try sample.titles(store) == ["A", "B"])
        #expect(try names(sample) == ["Store.plist"])
        try sample.rename(in: store, to: "C")
        #expect(try sample.titles(sample.open()) == ["A", "C"])
    }

    @Test("A failed write keeps the old file", arguments: PropertyListEncoding.allCases)
    func failedWrite(_ encoding: PropertyListEncoding) throws {
        let sample = try ArchiveSample(encoding)
        let store = try sample.open()
        let before = try sample.bytes
        // The name is so long that the name of the temporary file is too long.
        let long = sample.folder.url.appending(path: String(repeating: "x", count: 250)).path
        try FileManager.default.moveItem(atPath: sample.path, toPath: long)
        let stuck = try ArchiveStore.open(path: long, schema: sample.schema)
        let error = #expect(throws: GranaryError.self) { try sample.rename(in: stuck, to: "C") }
        #expect(error?.code == .uncreatable)
        #expect(try sample.titles(stuck) == ["A", "B"])
        try FileManager.default.moveItem(atPath: long, toPath: sample.path)
        #expect(try sample.bytes == before)
        #expect(try names(sample) == ["Store.plist"])
        try sample.rename(in: store, to: "C")
        #expect(try sample.titles(sample.open()) == ["A", "C"])
    }

    @Test("A dangling reference is not written")
    func danglingReference() throws {
        let sample = try ArchiveSample(.binary)
        let store = try sample.open()
        let error = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.delete(entity: 0, keys: [1]) }
        }
        #expect(error?.diagnostics.map(\.code) == [.relationshipNotFound])
        #expect(error?.message == "Book/p1: refers to Author/p1, which is not in the store")
        #expect(try store.count(entity: 0) == 1)
    }

    @Test("An archive that another store has changed is not overwritten")
    func overtaken() throws {
        let sample = try ArchiveSample(.binary)
        let (ours, theirs) = (try sample.open(), try sample.open())
        try sample.rename(in: theirs, to: "theirs")
        let file = try sample.bytes
        let error = #expect(throws: GranaryError.self) { try sample.rename(in: ours, to: "ours") }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("was changed by another process") == true)
        #expect(try sample.bytes == file)
        #expect(try sample.titles(ours) == ["A", "B"])
        // The store that wrote the change can continue.
        try sample.rename(in: theirs, to: "again", version: 3)
        #expect(try sample.titles(sample.open()) == ["A", "again"])

        try FileManager.default.removeItem(atPath: sample.path)
        let gone = #expect(throws: GranaryError.self) { try sample.rename(in: theirs, to: "x", version: 4) }
        #expect(gone?.code == .busy)
        #expect(try names(sample) == [])
    }

    @Test("A store opened for reading cannot be written")
    func readOnly() throws {
        let sample = try ArchiveSample(.xml)
        let before = try sample.bytes
        let store = try sample.open(readOnly: true)
        let error = #expect(throws: GranaryError.self) { try store.transaction { _ in } }
        #expect(error?.code == .usage)
        #expect(throws: GranaryError.self) { try store.setMetadata([]) }
        #expect(try sample.bytes == before)
        #expect(try sample.titles(store) == ["A", "B"])
    }

    @Test("Saving follows links and keeps permissions")
    func linksAndPermissions() throws {
        let sample = try ArchiveSample(.xml)
        let files = FileManager.default
        let link = sample.folder.url.appending(path: "link.plist").path
        try files.createSymbolicLink(atPath: link, withDestinationPath: "Store.plist")
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sample.path)
        try sample.rename(in: try ArchiveStore.open(path: link, schema: sample.schema), to: "C")
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "Store.plist")
        let permissions = try files.attributesOfItem(atPath: sample.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        #expect(try sample.titles(sample.open()) == ["A", "C"])
    }
}
