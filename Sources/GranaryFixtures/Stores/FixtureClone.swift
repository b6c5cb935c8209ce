import Foundation
import GranaryBase
package import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryRecords

/// The store of one test.
package final class FixtureClone: Sendable {
    package let fixture: Fixture
    package let container: PersistentContainer
    /// The folder of the store's file; nil in memory.
    private let folder: String?
    /// The folder to which the store is moved if it is kept.
    private let keptFolder: String
    private let keeping: KeptStores

    /// - Parameter keptFolder: the folder of the store if it is kept. It must not exist.
    init(
        of fixture: Fixture, _ template: FixtureTemplate, keeping: KeptStores = .requested,
        in keptFolder: String = KeptStores.nextFolder()
    ) throws(GranaryError) {
        self.fixture = fixture
        self.keeping = keeping
        self.keptFolder = keptFolder
        switch template {
        case .memory(let contents):
            folder = nil
            container = try PersistentContainer(
                store: InMemoryStore(contents), classes: fixture.classes, transformers: fixture.transformers)
        case .file(let file):
            let folder = try FixtureFolder.make()
            self.folder = folder
            do throws(GranaryError) {
                try FileClone.copyFolder(file.folder, to: folder)
                var store = PersistentStoreDescription(.sqlite(URL(filePath: "\(folder)/\(TemplateFile.name)")))
                store.ignoresModelVersioning = !file.comparesHashes
                container = try PersistentContainer(
                    schema: file.schema, store: store, classes: fixture.classes, transformers: fixture.transformers)
            } catch {
                try? FileManager.default.removeItem(atPath: folder)
                throw error
            }
        }
    }

    /// The comment on a failure of the test: the fixture, and where the store is kept.
    package var comment: String {
        let kept = keeping == .none ? "" : "; its store is kept in \(keptFolder)"
        return "the test ran on the fixture with \(fixture)\(kept)"
    }

    /// Closes the store, and keeps or removes it. The container cannot be used any more.
    ///
    /// - Returns: the folder with the kept store; nil if it is not kept.
    @discardableResult
    package func end(hasFailed: Bool) -> String? {
        let isKept = keeping == .all || keeping == .failed && hasFailed
        let result = isKept ? keep() : nil
        Self.close(container)
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
        return result
    }

    /// Removes the stores of a container, which closes their files.
    static func close(_ container: PersistentContainer) {
        let coordinator = container.persistentStoreCoordinator
        // Removing fails only for a store that the test itself has removed.
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    private func keep() -> String? {
        let files = FileManager.default
        do {
            if let folder {
                Self.close(container)
                let parent = URL(filePath: keptFolder).deletingLastPathComponent().path(percentEncoded: false)
                try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try files.moveItem(atPath: folder, toPath: keptFolder)
            } else {
                try files.createDirectory(atPath: keptFolder, withIntermediateDirectories: true)
                try writeStores()
            }
            return keptFolder
        } catch {
            KeptStores.note("the store of a test could not be kept in \(keptFolder): \(error)")
            return nil
        }
    }

    /// Writes the stores in memory as SQLite files, or as archives if SQLite cannot hold a value.
    private func writeStores() throws {
        let coordinator = container.persistentStoreCoordinator
        for (number, store) in coordinator.persistentStores.enumerated() where store.url == nil {
            let name = number == 0 ? "Store" : "Store \(number + 1)"
            let url = URL(filePath: "\(keptFolder)/\(name).sqlite")
            do throws(GranaryError) {
                try coordinator.migratePersistentStore(store, to: PersistentStoreDescription(.sqlite(url)))
            } catch {
                guard error.code == .refused else { throw error }
                let archive = URL(filePath: "\(keptFolder)/\(name).plist")
                try coordinator.migratePersistentStore(store, to: PersistentStoreDescription(.archive(archive)))
            }
        }
    }
}
