import Foundation
import Granary
import TestSupport
import Testing

/// The journal mode and `synchronous` of SQLite stores.
@Suite("Journal mode of a store") struct JournalModeTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Person", [.attribute("name", .string)])
    ])

    private static func container(
        _ url: URL, _ mode: PersistentStoreDescription.JournalMode?,
        _ change: (inout PersistentStoreDescription) -> Void = { _ in }
    ) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(url))
        description.journalMode = mode
        change(&description)
        let container = try PersistentContainer(name: "a", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }

    private static func save(_ name: String, in container: PersistentContainer) throws {
        let context = container.makeContext()
        let person = try context.insert(into: "Person")
        try person.setValue(.string(name), forKey: "name")
        try context.save()
    }

    /// The file format's write version: 1 for rollback journals, 2 for a write-ahead log.
    private static func writeVersion(_ url: URL) throws -> UInt8 {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        return try #require(try file.read(upToCount: 19)?.last)
    }

    @Test("A new store is one file, unless its description asks for a write-ahead log")
    func newStores() throws {
        let folder = try TemporaryFolder()
        for (name, mode, version) in [("a", nil, 1), ("b", .delete, 1), ("c", .wal, 2)]
            as [(String, PersistentStoreDescription.JournalMode?, UInt8)]
        {
            let url = folder.url.appending(path: name + ".sqlite")
            let container = try Self.container(url, mode)
            try Self.save("one", in: container)
            #expect(try Self.writeVersion(url) == version, "\(name)")
            let hasLog = FileManager.default.fileExists(atPath: url.path + "-wal")
            #expect(hasLog == (version == 2), "\(name)")
        }
    }

    @Test("A store keeps its mode, until a description has another one")
    func existingStores() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "a.sqlite")
        for (mode, version) in [(.wal, 2), (nil, 2), (.delete, 1), (nil, 1), (.wal, 2)]
            as [(PersistentStoreDescription.JournalMode?, UInt8)]
        {
            let container = try Self.container(url, mode)
            try Self.save("one", in: container)
            #expect(try Self.writeVersion(url) == version)
        }
        let container = try Self.container(url, nil) { $0.isReadOnly = true }
        #expect(try container.makeContext().count("Person") == 5)
    }

    @Test("The mode cannot change while another program has the store open")
    func openStores() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "a.sqlite")
        let first = try Self.container(url, .wal)
        try Self.save("one", in: first)
        let error = #expect(throws: GranaryError.self) {
            try Self.container(url, .delete) { $0.timeout = .milliseconds(50) }
        }
        #expect(error?.code == .busy, "\(String(describing: error))")
        try Self.save("two", in: first)
        #expect(try first.makeContext().count("Person") == 2)
        #expect(try Self.writeVersion(url) == 2)
    }

    @Test("Each setting of synchronous can be combined with each mode")
    func synchronous() throws {
        let folder = try TemporaryFolder()
        for mode in PersistentStoreDescription.JournalMode.allCases {
            for synchronous in PersistentStoreDescription.Synchronous.allCases {
                let url = folder.url.appending(path: "\(mode)-\(synchronous).sqlite")
                let container = try Self.container(url, mode) { $0.synchronous = synchronous }
                try Self.save("one", in: container)
                #expect(try container.makeContext().count("Person") == 1)
            }
        }
    }

    @Test("Other kinds of stores ignore the journal mode")
    func otherKinds() throws {
        var description = PersistentStoreDescription(.inMemory)
        description.journalMode = .wal
        let container = try PersistentContainer(name: "a", model: Self.model, descriptions: [description])
        try container.loadPersistentStores()
        try Self.save("one", in: container)
        #expect(try container.makeContext().count("Person") == 1)
    }
}
