import Foundation
import GranaryBase

extension SQLiteStore {
    /// The files of the store that exist: the database, its journals, and for a store that is not published yet, the files
    /// of external data that it wrote.
    package var files: [String] {
        let database = partial?.path ?? path
        let folder = ExternalData.folder(ofStore: path)
        let names = ["", "-wal", "-journal"].map { database + $0 } + unpublishedFiles.map { folder + "/" + $0 }
        return names.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
