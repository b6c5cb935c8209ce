import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

/// A log of the external files that a transaction creates or will remove, and of the files of a store that is replaced
/// or removed. The log is a file in the store's folder: `STORE.external.UUID.partial`.
///
/// A name is logged before its file is created or removed. The writing process holds a lock on the log
/// (``PartialFile``). If the process is killed, the next process that creates or replaces the store or opens it for
/// writing finds the log without a lock. It removes the logged files that no row names.
final class ExternalFilesLog {
    private static let header = "granary: external files of a transaction\n"
    /// The largest log, in bytes, that is read.
    private static let sizeLimit = 1 << 30

    private let storePath: String
    private var file: PartialFile?

    init(storePath: String) { self.storePath = storePath }

    deinit { remove() }

    /// Adds the name of an external file, and creates the log if it does not exist.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    func add(_ name: String) throws(GranaryError) { try addLine(name) }

    /// Adds the name of a run whose folder will be removed.
    ///
    /// - Throws: as ``add(_:)``.
    func add(run: String) throws(GranaryError) { try addLine(Self.runPrefix + run) }

    private static let runPrefix = "run "

    private func addLine(_ line: String) throws(GranaryError) {
        let file: PartialFile
        if let known = self.file {
            file = known
        } else {
            file = try PartialFile.create(
                for: Self.target(storePath), permissions: 0o600, removingAbandoned: false)
            self.file = file
            try write(Self.header, to: file)
        }
        try write(line + "\n", to: file)
    }

    /// Removes the log. Call when the transaction has ended and its files were created or removed.
    func remove() {
        guard let file else { return }
        unlink(file.path)
        self.file = nil
    }

    /// Leaves the log to the next process, because a file could not be removed.
    func abandon() { file = nil }

    private func write(_ text: String, to file: PartialFile) throws(GranaryError) {
        do { try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: Data(text.utf8)) } catch {
            throw GranaryError(.inputOutput, "\(storePath): cannot be written: \(error)", underlying: error)
        }
    }

    private static func target(_ storePath: String) -> String { storePath + ".external" }

    /// Removes the external files of killed transactions that no row names, and the logs of those transactions.
    ///
    /// - Parameter connection: the store's connection, without an open transaction; nil if the store does not exist, so
    ///   that all logged files are removed.
    static func removeAbandonedFiles(ofStore path: String, _ connection: Connection?) throws {
        var named: Set<String>?
        var failure: (any Error)?
        PartialFile.abandoned(of: target(path)) { log in
            do {
                let lines = try self.lines(in: log)
                try removeRuns(lines.compactMap(run(in:)), ofStore: path, connection)
                if named == nil { named = try connection.map { try SQLiteStore.namedFiles($0) } ?? [] }
                let folder = ExternalData.folder(ofStore: path)
                for name in lines where ExternalData.isFileName(name) {
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

    /// Removes the folders of runs that are not in the ledger. A process that is about to commit a run with the same
    /// name holds the lock of the database.
    private static func removeRuns(_ runs: [String], ofStore path: String, _ connection: Connection?) throws {
        let folders = runs.compactMap { try? RunFolder(storePath: path, run: $0) }
        guard !folders.isEmpty else { return }
        guard let connection else { return folders.forEach { $0.remove() } }
        try connection.transaction(.immediate) {
            let ledger = try StoreMetadata.read(connection, try connection.schema()).importLedger
            let known = Set(ledger.runs.map(\.id))
            for folder in folders where !known.contains(folder.run) { folder.remove() }
        }
    }

    /// The external files that running processes have logged, of this process too. They may not have rows yet.
    static func filesInUse(ofStore path: String) -> Set<String> {
        var names: Set<String> = []
        for log in PartialFile.used(of: target(path)) {
            // The process may have ended and removed its log meanwhile.
            names.formUnion(((try? lines(in: log)) ?? []).filter(ExternalData.isFileName))
        }
        return names
    }

    /// The lines of a log without its header.
    private static func lines(in log: String) throws -> [String] {
        let bytes = try ByteSource(path: log).readAll(limit: sizeLimit)
        guard bytes.starts(with: Array(header.utf8)) else { return [] }
        // The last line may be incomplete. A name becomes part of a path, so it is checked.
        return bytes.split(separator: 0x0A).dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    private static func run(in line: String) -> String? {
        line.hasPrefix(runPrefix) ? String(line.dropFirst(runPrefix.count)) : nil
    }
}
