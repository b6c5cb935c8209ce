import Foundation

/// Files of one folder that are written together. All are complete in a temporary folder before the first gets its
/// name. If a rename fails, the old files come back.
///
/// The temporary folder is `.granary.UUID.partial` in the target folder (``PartialFile``). If the process is killed
/// between two renames, some files are old and some are new, and each of them is complete.
package final class FileSetOutput {
    private struct File {
        let name: String
        let replaces: Bool
        var isPlaced = false
        /// Whether the old file has the name in the temporary folder.
        var hasOld = false
    }

    private let folder: String
    private let partial: PartialFile
    private var files: [File] = []
    private var isFinished = false

    /// - Parameter folder: an existing folder.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    package init(folder: String) throws(GranaryError) {
        self.folder = folder
        partial = try PartialFile.createFolder(for: Self.target(folder))
    }

    deinit {
        if !isFinished { restore() }
        try? FileManager.default.removeItem(atPath: partial.path)
    }

    private static func target(_ folder: String) -> String { folder + "/.granary" }

    /// Removes what a killed process has left in the folder.
    package static func removeAbandoned(in folder: String) { PartialFile.removeAbandoned(of: target(folder)) }

    /// Writes and syncs a file in the temporary folder.
    ///
    /// - Parameter replacing: whether ``finish()`` may replace an existing file.
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    package func add(_ text: String, as name: String, replacing: Bool) throws(GranaryError) {
        do throws(GranaryError) {
            // Nothing is abandoned in a new folder, and to look for it would take time for each file.
            let file = try PartialFile.create(for: temporary(name), removingAbandoned: false)
            let output = ByteOutput(file)
            output.append(text)
            try output.finish()
            guard rename(file.path, temporary(name)) == 0 else { throw failure(name) }
        } catch {
            var error = error
            error.message.replace(partial.path, with: folder)
            throw error
        }
        files.append(File(name: name, replaces: replacing))
    }

    /// Gives the files their names.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if a file that must not be replaced exists; `inputOutput`. `deinit`
    ///   then restores the old files.
    package func finish() throws(GranaryError) {
        for index in files.indices {
            let file = files[index]
            let (new, target) = (temporary(file.name), "\(folder)/\(file.name)")
            if !FileNames.moveToFreeName(new, target) {
                guard errno == EEXIST else { throw failure(file.name) }
                guard file.replaces, FileKind(target) == .file else {
                    throw GranaryError(.uncreatable, "\(target): was created by another process during the run")
                }
                guard FileNames.exchange(new, target) else { throw failure(file.name) }
                files[index].hasOld = true
            }
            files[index].isPlaced = true
        }
        isFinished = true
    }

    private func restore() {
        for file in files.reversed() where file.isPlaced {
            let target = "\(folder)/\(file.name)"
            if file.hasOld { _ = FileNames.exchange(temporary(file.name), target) } else { unlink(target) }
        }
    }

    private func temporary(_ name: String) -> String { "\(partial.path)/\(name)" }

    private func failure(_ name: String) -> GranaryError {
        GranaryError(.inputOutput, "\(folder)/\(name): cannot be written: \(errnoText())")
    }
}
