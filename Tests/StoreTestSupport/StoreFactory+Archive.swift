import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport

// XML cannot represent every value in the suite, so it uses binary archives.
extension StoreFactory {
    package static let archive = StoreFactory(name: "archive") { schema in
        let folder = try KeptFolders.make()
        return OpenedStore(
            store: try ArchiveStore.openOrCreate(path: folder.archivePath, schema: schema), folder: folder)
    }

    /// After each transaction, values are read from the file.
    package static let archiveReopened = StoreFactory(name: "archive, opened anew after each transaction") { schema in
        let folder = try KeptFolders.make()
        return OpenedStore(
            store: ReopenedArchive(try ArchiveStore.openOrCreate(path: folder.archivePath, schema: schema)),
            folder: folder)
    }
}

extension TemporaryFolder {
    package var archivePath: String { url.appending(path: "Store.plist").path }
}

/// An archive that is reopened after each transaction while it is small.
private final class ReopenedArchive: ForwardingStore {
    private static let quickBytes = 1 << 20

    private var archive: ArchiveStore

    init(_ archive: ArchiveStore) { self.archive = archive }

    var base: any StoreBackend { archive }

    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        let result = try archive.transaction(body)
        if try Data(contentsOf: URL(filePath: archive.path)).count < Self.quickBytes {
            archive = try ArchiveStore.open(path: archive.path, schema: schema)
        }
        return result
    }
}
