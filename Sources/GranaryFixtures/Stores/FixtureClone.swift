import Foundation
import GranaryBase
package import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryRecords

/// The open store of one test.
package final class FixtureClone: FixtureOfTest {
    package let fixture: Fixture
    package let container: PersistentContainer
    /// The store's file; nil in memory.
    private let file: FixtureFile?
    package let keptFolder: String
    package let keeping: KeptStores

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
            file = nil
            container = try PersistentContainer(
                store: InMemoryStore(contents), classes: fixture.classes, transformers: fixture.transformers)
        case .file(let template):
            let file = try FixtureFile(of: fixture, template, keeping: keeping, in: keptFolder)
            self.file = file
            do throws(GranaryError) {
                var store = PersistentStoreDescription(.sqlite(file.url))
                store.ignoresModelVersioning = !template.comparesHashes
                container = try PersistentContainer(
                    schema: template.schema, store: store, classes: fixture.classes,
                    transformers: fixture.transformers)
            } catch {
                file.remove()
                throw error
            }
        }
    }

    /// Closes the store, and keeps or removes it. The container cannot be used any more.
    @discardableResult
    package func end(hasFailed: Bool) -> String? {
        let isKept = isKept(hasFailed: hasFailed)
        if file == nil, isKept {
            let folder = keep()
            Self.close(container)
            return folder
        }
        Self.close(container)
        return file?.end(hasFailed: hasFailed)
    }

    /// Removes the stores of a container, which closes their files.
    static func close(_ container: PersistentContainer) {
        let coordinator = container.persistentStoreCoordinator
        // Removing fails only for a store that the test itself has removed.
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    private func keep() -> String? {
        do {
            try FileManager.default.createDirectory(atPath: keptFolder, withIntermediateDirectories: true)
            try writeStores()
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
