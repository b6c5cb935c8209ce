import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Values with external storage, through a context: which files lie beside the store at each moment.
@Suite("External values of objects") struct ExternalValueTests {
    private static let first = ExternalBench.bytes(ExternalBench.long, seed: 1)
    private static let second = ExternalBench.bytes(ExternalBench.long, seed: 2)
    private static let third = ExternalBench.bytes(ExternalBench.long + 1, seed: 3)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeContainer(tracksHistory: Bool) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(folder.url.appending(path: "Store.sqlite")))
        description.tracksHistory = tracksHistory
        return try PersistentContainer(ExternalBench.model, [description])
    }

    /// What is in the files, by their names.
    private func files() throws -> [String: Data] {
        let external = folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        guard FileManager.default.fileExists(atPath: external.path) else { return [:] }
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: external.path) {
            found[name] = try Data(contentsOf: external.appending(path: name))
        }
        return found
    }

    private func contents() throws -> [Data] { Array(try files().values) }

    @Test("Files come with the save that needs them, and go with the one that does not", arguments: [false, true])
    func saving(tracksHistory: Bool) throws {
        let container = try makeContainer(tracksHistory: tracksHistory)
        let context = container.makeContext()
        // Never saved.
        try context.insert(into: "Photo").setData(Self.first)
        context.rollback()
        try context.save()
        #expect(try contents() == [])

        let photo = try context.insert(into: "Photo")
        try photo.setData(Self.first)
        #expect(try contents() == [])
        try context.save()
        #expect(try contents() == [Self.first])
        #expect(try photo.data(forKey: "data") == Self.first)
        #expect(try container.stored(photo.objectID, "data") == .binary(Self.first))
        // Another value of the same object leaves the file alone.
        let names = try Set(files().keys)
        try photo.setValue(.binary(Data([1])), forKey: "plain")
        try context.save()
        #expect(try Set(files().keys) == names)

        try photo.setData(Self.second)
        #expect(try contents() == [Self.first])
        try context.save()
        #expect(try contents() == [Self.second])
        #expect(try container.stored(photo.objectID, "data") == .binary(Self.second))

        try photo.setData(Self.third)
        context.rollback()
        try context.save()
        #expect(try contents() == [Self.second])
        #expect(try photo.data(forKey: "data") == Self.second)

        try photo.setData(Data([2, 7]))
        try context.save()
        #expect(try contents() == [])
        #expect(try container.stored(photo.objectID, "data") == .binary(Data([2, 7])))

        try photo.setData(Self.third)
        try context.save()
        try context.delete(photo)
        #expect(try contents() == [Self.third])
        context.rollback()
        try context.save()
        #expect(try contents() == [Self.third])
        try context.delete(photo)
        try context.save()
        #expect(try contents() == [])

        let changes = try container.persistentStoreCoordinator.fetchHistory().flatMap(\.changes)
        #expect(
            changes.map(\.changeType)
                == (tracksHistory ? [.insert, .update, .update, .update, .update, .delete] : []))
        #expect(
            changes.compactMap(\.updatedProperties) == (tracksHistory ? [["plain"], ["data"], ["data"], ["data"]] : []))
    }

    @Test("What is undone and redone after a save takes its files along with the next", arguments: [false, true])
    func undoing(tracksHistory: Bool) throws {
        let container = try makeContainer(tracksHistory: tracksHistory)
        let context = container.makeContext()
        let photo = try context.insert(into: "Photo")
        try photo.setData(Self.first)
        try context.save()
        let manager = ObjectUndoManager()
        context.undoManager = manager

        try photo.setData(Self.second)
        try context.save()
        try manager.undo()
        #expect(try photo.data(forKey: "data") == Self.first)
        #expect(try contents() == [Self.second])
        try context.save()
        #expect(try contents() == [Self.first])
        try manager.redo()
        try context.save()
        #expect(try contents() == [Self.second])
        #expect(try container.stored(photo.objectID, "data") == .binary(Self.second))

        try context.delete(photo)
        try context.save()
        #expect(try contents() == [])
        try manager.undo()
        #expect(photo.isInserted)
        #expect(try photo.data(forKey: "data") == Self.second)
        #expect(try contents() == [])
        try context.save()
        #expect(try contents() == [Self.second])
        #expect(try container.stored(photo.objectID, "data") == .binary(Self.second))
        // Undone before it was saved.
        try photo.setData(Self.third)
        try manager.undo()
        try context.save()
        #expect(try contents() == [Self.second])

        let changes = try container.persistentStoreCoordinator.fetchHistory().flatMap(\.changes)
        #expect(
            changes.map(\.changeType)
                == (tracksHistory ? [.insert, .update, .update, .update, .delete, .insert] : []))
    }
}

extension ManagedObject {
    fileprivate func setData(_ data: Data) throws { try setValue(.binary(data), forKey: "data") }
}
