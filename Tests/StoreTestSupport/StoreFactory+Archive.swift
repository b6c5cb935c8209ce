import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
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
private final class ReopenedArchive: PersistentStore {
    private static let quickBytes = 1 << 20

    private var archive: ArchiveStore

    init(_ archive: ArchiveStore) { self.archive = archive }

    var schema: Schema { archive.schema }
    var identifier: String { archive.identifier }
    var capabilities: StoreCapabilities { archive.capabilities.subtracting(.userMetadata) }

    func read(entities: Range<Int>, batchSize: Int, _ body: (borrowing RowBatch) throws -> Bool) throws {
        try archive.read(entities: entities, batchSize: batchSize, body)
    }

    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        try archive.read(entities: entities, after: key, limit: limit)
    }

    func read(root: Int, keys: [Int64]) throws -> RowBatch { try archive.read(root: root, keys: keys) }

    func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try archive.readLinks(of: relationship, owners: owners, body)
    }

    func lastKey(root: Int) -> Int64 { archive.lastKey(root: root) }

    func count(entity: Int) throws -> Int { try archive.count(entity: entity) }

    func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        try archive.keys(matching: constraint, in: batch, row: row)
    }

    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        let result = try archive.transaction(body)
        if try Data(contentsOf: URL(filePath: archive.path)).count < Self.quickBytes {
            archive = try ArchiveStore.open(path: archive.path, schema: schema)
        }
        return result
    }
}
