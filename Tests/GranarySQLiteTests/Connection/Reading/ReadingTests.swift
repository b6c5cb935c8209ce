import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Reading leaves every byte as it is.
struct ReadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rows(_ connection: Connection) throws -> [String]? {
        guard try connection.tables() == ["t"] else { return nil }
        let statement = try connection.prepare("SELECT x FROM t ORDER BY rowid")
        var found: [String] = []
        while try statement.step() { found.append(try statement.string(at: 0) ?? "") }
        return found
    }

    static let permissions: [WritePermission] = [.byUs, .byOthers, .byNobody]

    @Test(arguments: StoredState.allCases, permissions)
    func nothingChanges(state: StoredState, permission: WritePermission) throws {
        let place = try state.place(in: folder)
        let before = try FolderSnapshot(place.folder)
        let connection = try Connection.reading(path: place.file, busyTimeout: .zero) { _ in permission }
        #expect(try rows(connection) == state.rows)
        #expect(connection.mode == .readOnly)
        #expect(connection.path == place.file)
        #expect(try connection.journalMode() == state.journalMode)
        #expect(try connection.text(pragma: "integrity_check") == "ok")
        let isCopied =
            state.needsCopy || permission == .byOthers && state.isRead || permission == .byUs && state.hasRemains
        #expect((connection.snapshotNote != nil) == isCopied, "\(connection.snapshotNote ?? "")")
        #expect((connection.copy != nil) == isCopied)
        let pages = try connection.integer(pragma: "page_count") ?? -1
        let pageSize = try connection.integer(pragma: "page_size") ?? 0
        // The log may have pages that the file has not got yet.
        if state.journalMode == "delete" { #expect(connection.fileLength == pages * pageSize) }
        #expect((connection.fileLength ?? -1) % pageSize == 0)
        let error = #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE u (x)") }
        #expect(error?.code == .readOnly)
        #expect(error?.path == place.file)
        // What a second reader in this process sees, and leaves behind.
        let second = try Connection.reading(path: place.file, busyTimeout: .zero) { _ in permission }
        #expect(try rows(second) == state.rows)
        let copies = [connection.copy?.folder, second.copy?.folder].compactMap { $0 }
        try connection.close()
        #expect(try rows(second) == state.rows)
        try second.close()
        #expect(try FolderSnapshot(place.folder) == before)
        for copy in copies { #expect(!FileManager.default.fileExists(atPath: copy)) }
    }

    /// The same with what the file system itself says, by a link, and with nobody who closes.
    @Test(arguments: StoredState.allCases) func byALink(state: StoredState) throws {
        let place = try state.place(in: folder)
        let link = folder.url.appending(path: "link.sqlite").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.file)
        let before = try FolderSnapshot(place.folder)
        for _ in 0..<2 { #expect(try rows(Connection.reading(path: link)) == state.rows) }
        #expect(try FolderSnapshot(place.folder) == before)
    }

    @Test(arguments: StoredState.allCases) func foldersThatNobodyMayWrite(state: StoredState) throws {
        let place = try state.place(in: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        for name in names {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o444], ofItemAtPath: place.folder.path + "/" + name)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.folder.path)
        }
        #expect(WritePermission.of(FileName.withoutLinks(place.file)) == .byNobody)
        let before = try FolderSnapshot(place.folder)
        #expect(try rows(Connection.reading(path: place.file)) == state.rows)
        #expect(try FolderSnapshot(place.folder) == before)
    }

    /// However the process ends: there is never anything beside the original.
    @Test(arguments: StoredState.allCases) func readingOnceMakesNoFilesBeside(state: StoredState) throws {
        let place = try state.place(in: folder)
        let before = try FolderSnapshot(place.folder)
        let connection = try Connection.reading(path: place.file, busyTimeout: .zero, once: true) { _ in .byUs }
        #expect(try rows(connection) == state.rows)
        #expect(try connection.journalMode() == state.journalMode)
        let isCopied = state.needsCopy || state.isRead
        #expect((connection.copy != nil) == isCopied)
        // An idle store is none that had to be copied.
        #expect((connection.snapshotNote != nil) == (isCopied && state != .noLog))
        if isCopied { #expect(try FolderSnapshot(place.folder) == before) }
        try connection.close()
        #expect(try FolderSnapshot(place.folder) == before)
    }

    @Test(arguments: [
        "with space", "a%20b", "a?b&c=d#e", "é日本🏥", "file:x?mode=memory", ":memory:", "-x", "'\"", "b\\s",
    ])
    func everyNameIsAPlainName(_ name: String) throws {
        let place = try StoredState.noLog.place(in: folder, name: name)
        for permission in Self.permissions {
            let connection = try Connection.reading(path: place.file, busyTimeout: .zero) { _ in permission }
            #expect(try rows(connection) == ["before", "after"])
            try connection.close()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [name])
    }

    /// What playing a journal back removes is not the original's, nor a file that a hostile journal names.
    @Test func theCommonFileOfSeveralJournalsStays() throws {
        let place = try StoredState.hotJournal.place(in: folder)
        let victim = try folder.write("names no journal", to: "victim")
        let journal = URL(filePath: place.file + "-journal")
        let name = Array(victim.path.utf8)
        var bytes = try Data(contentsOf: journal)
        // The number of the page with the locks; the name, its length and sum; what ends such a record.
        let lockPage: UInt32 = 0x4000_0000 / 4096 + 1
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        func append(_ value: UInt32) {
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(value >> shift & 0xFF)) }
        }
        append(lockPage)
        bytes.append(contentsOf: name)
        append(UInt32(name.count))
        append(sum)
        bytes.append(contentsOf: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        try bytes.write(to: journal)
        let before = try FolderSnapshot(place.folder)
        #expect(try rows(Connection.reading(path: place.file)) == ["before"])
        #expect(try FolderSnapshot(place.folder) == before)
        #expect(try String(contentsOf: victim, encoding: .utf8) == "names no journal")
    }

    @Test(arguments: ["-wal", "-journal"]) func companionsThatAreNoFiles(suffix: String) throws {
        let place = try StoredState.noLog.place(in: folder)
        try #require(mkfifo(place.file + suffix, 0o600) == 0)
        let error = #expect(throws: SQLiteError.self) { try Connection.reading(path: place.file) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.hasSuffix("\(suffix) is not a regular file") == true)
    }

    @Test(arguments: StoredState.allCases) func aDamagedSchemaIsToldAndLeft(state: StoredState) throws {
        // A log holds the page anew.
        guard [.plain, .coldJournal, .noLog, .emptyLog, .staleIndex].contains(state) else { return }
        let place = try state.place(in: folder)
        var data = try Data(contentsOf: URL(filePath: place.file))
        let text = try #require(data.range(of: Data("CREATE TABLE".utf8)))
        data.replaceSubrange(text, with: Data("CREATE BABLE".utf8))
        try data.write(to: URL(filePath: place.file))
        let before = try FolderSnapshot(place.folder)
        for permission in Self.permissions {
            let error = #expect(throws: SQLiteError.self) {
                try Connection.reading(path: place.file, busyTimeout: .zero) { _ in permission }
            }
            #expect(error?.code == .corrupt)
        }
        #expect(try FolderSnapshot(place.folder) == before)
    }

    @Test func whatIsNoDatabaseIsToldAsEver() throws {
        let text = try folder.write(String(repeating: "name,age\n", count: 200), to: "patients.csv")
        let empty = try folder.write("", to: "empty.sqlite")
        let cases: [(path: String, code: ResultCode)] = [
            (text.path, .notADatabase), (folder.url.path, .cannotOpen), ("", .cannotOpen), ("a\u{0}b", .cannotOpen),
            (folder.url.path + "/missing", .cannotOpen),
        ]
        for (path, code) in cases {
            let error = #expect(throws: SQLiteError.self) { try Connection.reading(path: path) }
            #expect(error?.code == code)
            let plain = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: .readOnly) }
            #expect(error?.message == plain?.message)
        }
        #expect(try Connection.reading(path: empty.path).schema().isEmpty)
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func realStores() throws {
        var opened = 0
        for store in try SharedFiles.files(below: "coredata/stores") where store.pathExtension != "tsv" {
            if store.path.hasSuffix("-wal") { continue }
            let place = store.deletingLastPathComponent()
            let before = try FolderSnapshot(place)
            let connection = try Connection.reading(path: store.path)
            #expect(try connection.tables().contains("Z_METADATA"), "\(store.lastPathComponent)")
            #expect(try connection.text(pragma: "quick_check") == "ok", "\(store.lastPathComponent)")
            switch store.lastPathComponent {
            case "SurfJournalModel.sqlite":
                #expect(try connection.integer("SELECT count(*) FROM ZJOURNALENTRY") == 5_000)
            case "Database.sqlite":
                #expect(try connection.integer("SELECT count(*) FROM ZHTTPSEXCLUDEDDOMAIN") == 30)
            default: break
            }
            try connection.close()
            #expect(try FolderSnapshot(place) == before, "\(store.lastPathComponent)")
            opened += 1
        }
        #expect(opened > 0)
    }
}
