import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that is built under a temporary name and gets its own when it is complete.
package final class FolderOutput {
    /// Without slashes at its end.
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

    /// Gives the folder its name. If there is a folder of that name, the two exchange their names in one step, so that there is
    /// always a complete folder; the old one is removed then.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package func finish() throws(GranaryError) {
        // A rename replaces an empty folder only.
        if rename(temporary, path) == 0 { return }
        guard FileKind(path) == .folder, FileNames.exchange(temporary, path) else {
            throw GranaryError(.inputOutput, "\(path): cannot be put in place: \(errnoText())")
        }
    }
}
