import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import Synchronization
package import TestSupport

extension StoreFactory {
    /// A new store under its temporary name.
    package static let sqliteInTheMaking = StoreFactory(name: "SQLite, in the making") { schema in
        let folder = try KeptFolders.make()
        return OpenedStore(store: try SQLiteStore.create(path: folder.storePath, schema: schema), folder: folder)
    }

    /// A new store that is published and then used.
    package static let sqlitePublished = StoreFactory(name: "SQLite, published") { schema in
        let folder = try KeptFolders.make()
        return OpenedStore(store: try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema), folder: folder)
    }

    /// A closed and reopened store.
    package static let sqliteOpened = StoreFactory(name: "SQLite, opened") { schema in
        let folder = try KeptFolders.make()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        return OpenedStore(store: try SQLiteStore.open(path: folder.storePath, schema: schema), folder: folder)
    }

    /// A new store with a write-ahead log, which contexts read beside the writer.
    package static let sqliteWithLog = StoreFactory(name: "SQLite, with a write-ahead log") { schema in
        let folder = try KeptFolders.make()
        let store = try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        try store.setJournal(.wal, .normal)
        return OpenedStore(store: store, folder: folder)
    }

    /// A new store with a persistent history.
    package static let sqliteWithHistory = StoreFactory(name: "SQLite, with history") { schema in
        let folder = try KeptFolders.make()
        let store = try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema, tracksHistory: true)
        return OpenedStore(store: store, folder: folder)
    }
}

extension TemporaryFolder {
    package var storePath: String { url.appending(path: "Store.sqlite").path }
}

/// Folders that exist until the tests end, because a store cannot own its folder.
package enum KeptFolders {
    private static let folders: Mutex<[TemporaryFolder]> = {
        atexit { KeptFolders.folders.withLock { $0 = [] } }
        return Mutex([])
    }()

    package static func make() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        folders.withLock { $0.append(folder) }
        return folder
    }
}
