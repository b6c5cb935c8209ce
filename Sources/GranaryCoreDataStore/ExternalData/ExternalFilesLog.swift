import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

/// A log of the external files that a transaction creates or will remove. The log is a file in the store's folder:
/// `STORE.external.UUID.partial`.
///
/// A name is logged before its file is created or removed. The writing process holds a lock on the log
/// (``PartialFile``). If the process is killed, the next process that opens the store for writing finds the log without
/// a lock. It removes the logged files that no row names.
final class ExternalFilesLog {
    private static let header = "granary: external files of a transaction\n"
    /// The largest log, in bytes, that is read.
    private static let sizeLimit = 1 << 30

    private let storePath: String
    private var file: PartialFile?

    init(storePath: String) { self.storePath = storePath }

    deinit { remove() }

    /// Adds a name, and creates the log if it does not exist.
    ///
    /// Adds a name, and creates the log if it does not exist.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    func add(_ name: String) throws(GranaryError) {
        let file: PartialFile
        if let known = self.file {
            file = known
        } else {
            file = try PartialFile.create(
                for: Self.target(storePath), permissions: 0o600, removingAbandoned: false)
            self.file = file
            try write(Self.header, to: file)
        }
        try write(name + "\n", to: file)
    }

    /// Removes the log. Call when the transaction has ended and its files were created or removed.
    func remove() {
        guard let file else { return }
        unlink(file.path)
        self.file = nil
    }

    private func write(_ text: String, to file: PartialFile) throws(GranaryError) {
        do { try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: Data(text.utf8)) } catch {
            throw GranaryError(.inputOutput, "\(storePath): cannot be written: \(error)", underlying: error)
        }
    }

    private static func target(_ storePath: String) -> String { storePath + ".external" }

    /// Removes the external files of killed transactions that no row names, and the logs of those transactions.
    ///
    /// - Parameter connection: the store's connection; nil if the store does not exist, so that all logged files are
    ///   removed.
    static func removeAbandonedFiles(ofStore path: String, _ connection: Connection?) throws {
        var named: Set<String>?
        var failure: (any Error)?
        PartialFile.abandoned(of: target(path)) { log in
            do {
                let names = try self.names(in: log)
                if named == nil { named = try connection.map { try SQLiteStore.namedFiles($0) } ?? [] }
                let folder = ExternalData.folder(ofStore: path)
                for name in names {
                    unlink("\(folder)/\(name).partial")
                    if named?.contains(name) == false { unlink("\(folder)/\(name)") }
                }
                rmdir(folder)
                rmdir(SQLiteStore.supportFolder(ofStore: path))
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    private static func names(in log: String) throws -> [String] {
        let bytes = try ByteSource(path: log).readAll(limit: sizeLimit)
        guard bytes.starts(with: Array(header.utf8)) else { return [] }
        // The last line may be incomplete. A name becomes part of a path, so only UUIDs are accepted.
        return bytes.split(separator: 0x0A).dropFirst().map { String(decoding: $0, as: UTF8.self) }
            .filter(ExternalData.isFileName)
    }
}
