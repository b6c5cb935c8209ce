internal import Foundation
internal import GranaryBase

extension Connection {
    private static let copyingAttempts = 5

    /// Copies a database file with the changes in its log, as one file. The original is not changed.
    ///
    /// - Parameter target: the path of the copy, which must not exist.
    /// - Throws: as ``init(path:mode:busyTimeout:)``; `busy` if this process has the file open, or another process
    ///   writes continuously; `inputOutput` if the copy cannot be made.
    package static func copyDatabase(_ path: String, to target: String) throws(SQLiteError) {
        let origin = SQLiteError.Origin(path: path, mode: .readOnly)
        _ = try FileName.checked(path, origin: origin)
        let file = FileName.withoutLinks(path)
        for attempt in 0..<copyingAttempts {
            if attempt > 0 { usleep(20_000) }
            guard let copy = try FileCopy.make(of: file, origin: origin) else { continue }
            try copy.move(to: target, origin: origin)
            do throws(SQLiteError) {
                let connection = try Connection(path: target, mode: .readWrite)
                // Plays back the journal or the log.
                _ = try connection.text(pragma: "journal_mode = DELETE")
                try connection.close()
            } catch {
                var error = error
                error.path = path
                throw error
            }
            return
        }
        throw SQLiteError(
            .busy, "it cannot be copied while this process has it open or another process writes to it", origin: origin)
    }
}

extension FileCopy {
    /// Moves the files to another path, which must not exist.
    fileprivate func move(to target: String, origin: SQLiteError.Origin) throws(SQLiteError) {
        for suffix in ["-journal", "-wal", ""] where FileStatus(path: path + suffix) != nil {
            do { try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix) } catch {
                throw SQLiteError(
                    .inputOutput, "it cannot be copied to \(target): \(error.localizedDescription)", origin: origin)
            }
        }
    }
}
