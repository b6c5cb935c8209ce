import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

extension SQLiteStore {
    /// Renames each external file to a name derived from its row and its bytes, so that the same rows give the same
    /// store. If the derived name is taken, perhaps by another store, the file keeps its name. If the store that this
    /// one replaces has an equal file with this name, both stores use that file.
    func nameExternalFilesByContent() throws {
        let columns = externalColumns
        guard !columns.isEmpty else { return }
        var renamed: [(old: String, new: String)] = []
        // The files that are not needed, because an equal one is there.
        var shared: [String] = []
        let mayShareFiles = replacesStore && !StoreBelongings.isSupportFolderShared(ofStore: path)
        let log = ExternalFilesLog(storePath: path)
        let folder = ExternalFolder(ofStore: path, databasePath: connection.path)
        do {
            // This does not change an object, so no trigger may update a derived date.
            try connection.withoutTriggers {
                try connection.transaction(.immediate) {
                    for column in columns {
                        for row in try namedFiles(column.table, column.name) {
                            let new = try contentName(column.table, column.name, row.key, row.file)
                            let target = ExternalData.file(new, ofStore: path)
                            let file = ExternalData.file(row.file, ofStore: path)
                            if PublishedFile.isTaken(target) {
                                guard new != row.file, mayShareFiles,
                                    FileManager.default.contentsEqual(atPath: file, andPath: target)
                                else { continue }
                                try log.add(row.file)
                                shared.append(row.file)
                            } else {
                                for name in [row.file, new] { try log.add(name) }
                                try PublishedFile.linkOrCopy(file, as: target)
                                renamed.append((old: row.file, new: new))
                            }
                            let update = "UPDATE \(column.table) SET \(column.name) = ?2 WHERE Z_PK = ?1"
                            try connection.withStatement(update) { statement in
                                try statement.bind(row.key, at: 1)
                                try statement.bind(blob: ExternalData.blob(naming: new), at: 2)
                                try statement.run()
                            }
                        }
                    }
                    folder.sync()
                }
            }
        } catch {
            for file in renamed { folder.remove(file.new) }
            throw error
        }
        PublishedFile.syncCommit(of: connection.path)
        for name in shared { folder.remove(name) }
        for file in renamed {
            folder.remove(file.old)
            if !isPublished { unpublishedFiles.append(file.new) }
        }
        if !isPublished { unpublishedLogs.append(log) }
    }

    func namedFiles(_ table: String, _ column: String) throws -> [(key: Int64, file: String)] {
        let query = "SELECT Z_PK, \(column) FROM \(table) WHERE \(ExternalData.leadsToFile(column)) ORDER BY Z_PK"
        return try connection.withStatement(query) { statement in
            var found: [(key: Int64, file: String)] = []
            while try statement.step() {
                guard let name = ExternalData.fileName(in: try statement.blob(at: 1)) else { continue }
                found.append((key: statement.integer(at: 0), file: name))
            }
            return found
        }
    }

    private func contentName(_ table: String, _ column: String, _ key: Int64, _ file: String) throws -> String {
        var digest = ContentDigest()
        digest.update(Array("\(table).\(column) \(key) ".utf8))
        let source = try ByteSource(path: ExternalData.file(file, ofStore: path))
        digest.update(try source.readAll(limit: RowBatch.fileLimit))
        return ContentIdentifier.uuid(digest.bytes)
    }
}

extension SQLiteStore {
    /// Runs a transaction, and removes the external files that are superfluous after its commit or failure.
    func withExternalFiles<Result>(_ transaction: (ExternalFiles) throws -> Result) throws -> Result {
        let files = ExternalFiles(store: self)
        do {
            let result = try transaction(files)
            files.commit()
            return result
        } catch {
            files.discard()
            throw error
        }
    }
}
