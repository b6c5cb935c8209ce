import Foundation

/// A folder that is built under a temporary name and renamed when it is complete.
package final class FolderOutput {
    /// The target's path, without trailing slashes.
    package let path: String
    /// The folder that files are written to until ``finish()``.
    package let temporary: String
    private let partial: PartialFile
    private var state = State.building

    private enum State {
        case building
        /// The folder has the target name. If a folder had it before, that one has the temporary name now. The lock
        /// keeps other runs with the same target from removing it as an abandoned folder.
        case placed(hasOld: Bool, lock: PartialFile?)
        case published
    }

    /// - Parameter permissions: the mode; the process's umask is applied.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    package init(path: String, permissions: UInt32 = 0o777) throws(GranaryError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        partial = try PartialFile.createFolder(for: path, permissions: permissions)
        temporary = partial.path
    }

    deinit {
        if case .placed(let hasOld, _) = state {
            guard hasOld ? FileNames.exchange(temporary, path) : rename(path, temporary) == 0 else { return }
        }
        if case .published = state { return }
        try? FileManager.default.removeItem(atPath: temporary)
    }

    /// Renames the folder to its target name and removes the folder that had this name.
    ///
    /// - Throws: as ``place()``.
    package func finish() throws(GranaryError) {
        try place()
        publish()
    }

    /// Renames the folder to its target name. If a folder has that name, the two names are exchanged atomically, so
    /// that a complete folder exists at every moment. Without ``publish()``, `deinit` restores the old folder.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package func place() throws(GranaryError) {
        // `rename` replaces only an empty folder.
        if rename(temporary, path) == 0 {
            state = .placed(hasOld: false, lock: nil)
            return
        }
        let reason = errnoText()
        guard FileKind(path) == .folder else { throw failure(reason) }
        let lock = PartialFile.lock(path)
        guard FileNames.exchange(temporary, path) else { throw failure(errnoText()) }
        state = .placed(hasOld: true, lock: lock)
    }

    private func failure(_ reason: String) -> GranaryError {
        GranaryError(.inputOutput, "\(path): cannot be renamed to its name: \(reason)")
    }

    /// Makes the rename of ``place()`` permanent and removes the old folder.
    package func publish() {
        guard case .placed(let hasOld, _) = state else { return }
        state = .published
        if hasOld { try? FileManager.default.removeItem(atPath: temporary) }
    }
}
