import Foundation
package import GranaryBase
import GranarySQLite

extension SQLiteStore {
    /// Copies a store with its external files. The original is not changed.
    ///
    /// - Parameter target: the path of the copy. The folder must exist, and must not have files of that name.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file; `refused` if it is no database; `busy` if it
    ///   is open in this process, or another process writes continuously; `inputOutput` if the copy cannot be made.
    package static func copy(path: String, to target: String) throws(GranaryError) {
        guard case .file = FileKind(path) else {
            throw GranaryError(.unreadable, "\(path): there is no such file")
        }
        do throws(SQLiteError) { try Connection.copyDatabase(path, to: target) } catch {
            guard error.code == .busy else { throw error.granaryError }
            throw GranaryError(
                .busy, "\(path): cannot be copied while this process has it open or another process writes to it",
                underlying: error)
        }
        let files = supportFolder(ofStore: path)
        if case .folder = FileKind(files) { try FileClone.copyFolder(files, to: supportFolder(ofStore: target)) }
    }
}
