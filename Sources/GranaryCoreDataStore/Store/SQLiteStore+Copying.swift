import Foundation
package import GranaryBase
import GranarySQLite

extension SQLiteStore {
    /// Copies a store with its external files. The original is not changed.
    ///
    /// - Parameter target: the path of the copy. The folder must exist, and must not have files of that name.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file; `refused` if it is no database; `busy` if it is
    ///   open in this process, or another process writes continuously; `inputOutput` if the copy cannot be made.
    package static func copy(path: String, to target: String) throws(GranaryError) {
        guard case .file = FileKind(path) else {
            throw GranaryError(.unreadable, "\(path): there is no such file")
        }
        try converting { try Connection.copyDatabase(path, to: target) }
        let files = supportFolder(ofStore: path)
        if case .folder = FileKind(files) { try FileClone.copyFolder(files, to: supportFolder(ofStore: target)) }
    }
}
