import Foundation
import GranarySQLite
import TestSupport

/// What may lie at the name of a database file, with what should be read of it.
enum StoredState: String, CaseIterable, Sendable {
    case plain, coldJournal, hotJournal, emptyWithJournal
    case log, logAndIndex, emptyLog, staleIndex, noLog, emptyWithLog

    /// What the only column of the only table has; nil where there is no table.
    var rows: [String]? {
        switch self {
        case .plain, .hotJournal: ["before"]
        case .coldJournal, .log, .logAndIndex, .emptyLog, .staleIndex, .noLog: ["before", "after"]
        case .emptyWithJournal, .emptyWithLog: nil
        }
    }

    var journalMode: String {
        switch self {
        case .plain, .coldJournal, .hotJournal, .emptyWithJournal, .emptyWithLog: "delete"
        case .log, .logAndIndex, .emptyLog, .staleIndex, .noLog: "wal"
        }
    }

    /// What has to be copied, whoever may write.
    var needsCopy: Bool { [.hotJournal, .emptyWithJournal, .log, .logAndIndex, .emptyWithLog].contains(self) }
    /// What others have left and SQLite would remove.
    var hasRemains: Bool { [.emptyLog, .staleIndex].contains(self) }
    var isRead: Bool { [.emptyLog, .staleIndex, .noLog].contains(self) }

    /// Makes the files in a folder of their own.
    func place(in folder: TemporaryFolder, name: String = "Store.sqlite") throws -> (folder: URL, file: String) {
        let place = folder.url.appending(path: "place-\(rawValue)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let file = place.path + "/" + name
        let work = folder.url.appending(path: "work-\(rawValue).sqlite").path
        func copy(_ suffixes: [String]) throws {
            for suffix in suffixes { try FileManager.default.copyItem(atPath: work + suffix, toPath: file + suffix) }
        }
        let empty = Data()
        let connection = try Connection(path: work, mode: .create)
        try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES ('before')")
        switch self {
        case .plain: try copy([""])
        case .coldJournal:
            try connection.execute("PRAGMA journal_mode = PERSIST; INSERT INTO t VALUES ('after')")
            try copy(["", "-journal"])
        case .hotJournal, .emptyWithJournal:
            try connection.execute("PRAGMA cache_size = 1; BEGIN")
            for _ in 0..<50 { try connection.execute("INSERT INTO t VALUES (hex(randomblob(4000)))") }
            try connection.execute("DELETE FROM t")
            try copy(self == .hotJournal ? ["", "-journal"] : ["-journal"])
            if self == .emptyWithJournal { try empty.write(to: URL(filePath: file)) }
            try connection.execute("ROLLBACK")
        default:
            try connection.execute("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('after')")
            switch self {
            case .log: try copy(["", "-wal"])
            case .logAndIndex: try copy(["", "-wal", "-shm"])
            case .staleIndex: try copy(["-shm"])
            case .emptyWithLog:
                try copy(["-wal"])
                try empty.write(to: URL(filePath: file))
            default: break
            }
        }
        try connection.close()
        if isRead { try copy([""]) }
        if self == .emptyLog { try empty.write(to: URL(filePath: file + "-wal")) }
        return (folder: place, file: file)
    }
}

/// All that a folder holds: the bytes of each file, when it was written, and which file it is.
struct FolderSnapshot: Equatable {
    private struct File: Equatable {
        let bytes: Data
        let date: Date?
        let number: Int?
        let permissions: Int?
    }

    private var files: [String: File] = [:]

    /// Not while a connection has one of the files open: closing a file gives up the locks on it.
    init(_ folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let path = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            files[name] = File(
                bytes: try Data(contentsOf: URL(filePath: path)), date: attributes[.modificationDate] as? Date,
                number: (attributes[.systemFileNumber] as? NSNumber)?.intValue,
                permissions: (attributes[.posixPermissions] as? NSNumber)?.intValue)
        }
    }
}
