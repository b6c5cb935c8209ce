import Foundation

/// A folder that is built under a temporary name and renamed when it is complete.
package final class FolderOutput {
    /// The target's path, without trailing slashes.
    package let path: String
    /// The folder that files are written to until ``finish()``.
    package let temporary: String
    private let partial: PartialFile

    /// - Parameter permissions: the mode; the process's umask is applied.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    package init(path: String, permissions: UInt32 = 0o777) throws(GranaryError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        partial = try PartialFile.createFolder(for: path, permissions: permissions)
        temporary = partial.path
    }

    deinit { try? FileManager.default.removeItem(atPath: temporary) }

    /// Renames the folder to its target name. If a folder has that name, the two names are exchanged atomically, so
    /// that a complete folder exists at every moment; then the old folder is removed.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package func finish() throws(GranaryError) {
        // `rename` replaces only an empty folder.
        if rename(temporary, path) == 0 { return }
        guard FileKind(path) == .folder, FileNames.exchange(temporary, path) else {
            throw GranaryError(.inputOutput, "\(path): cannot be renamed to its name: \(errnoText())")
        }
    }
}
