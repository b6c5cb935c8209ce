import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("External files named by several rows, and external files of killed runs") struct AbandonedFilesTests {
    private typealias Bench = ExternalBench
    private static let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"

    private func benchWithSharedFile() throws -> Bench {
        let bench = try Bench()
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        try bench.insert(2, [0: Bench.bytes(3)])
        try bench.store.connection.execute(
            "UPDATE ZPHOTO SET ZDATA = (SELECT ZDATA FROM ZPHOTO WHERE Z_PK = 1) WHERE Z_PK = 2")
        #expect(bench.files.count == 1)
        return bench
    }

    @Test("A file is kept as long as a row names it")
    func sharedFile() throws {
        let bench = try benchWithSharedFile()
        try bench.update(1, [0: Bench.bytes(Bench.long, seed: 7)])
        #expect(bench.files.count == 2)
        #expect(try bench.value(2) == Bench.bytes(Bench.long))
        try bench.store.transaction { try $0.delete(entity: Bench.photo, keys: [2]) }
        #expect(bench.files.count == 1)
        #expect(try bench.value(1) == Bench.bytes(Bench.long, seed: 7))
    }

    @Test("A file is removed when both rows that name it change in one transaction")
    func sharedFileOfBoth() throws {
        let bench = try benchWithSharedFile()
        try bench.store.transaction { try $0.delete(entity: Bench.photo, keys: [1, 2]) }
        #expect(bench.files.isEmpty)
    }

    @Test("A revert keeps a file that another row names")
    func revertedFile() throws {
        let bench = try benchWithSharedFile()
        try bench.store.transaction(recording: "run-1") { writer in
            try writer.update(Bench.row(Bench.photo, 1, version: 2, [0: Bench.bytes(5)]))
            try writer.recordRun(RunBench.entry("run-1"))
        }
        #expect(try bench.value(2) == Bench.bytes(Bench.long))
        try bench.store.revert(run: "run-1")
        for key in [1, 2] { #expect(try bench.value(Int64(key)) == Bench.bytes(Bench.long)) }
    }

    @Test("The next process that opens the store for writing removes the files of a killed run that no row names")
    func abandoned() throws {
        let bench = try Bench()
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        let named = try #require(bench.files.first)
        // Files after a kill: one without a committed row, an incomplete one, and one of another program.
        let (orphan, foreign) = (UUID().uuidString, UUID().uuidString)
        let unfinished = UUID().uuidString
        for name in [orphan, unfinished + ".partial", foreign] {
            _ = try bench.folder.write("x", to: ".Store_SUPPORT/_EXTERNAL_DATA/" + name)
        }
        let log = "Store.sqlite.external.\(Self.id).partial"
        let header = "granary: external files of a transaction\n"
        _ = try bench.folder.write(
            header + [named, orphan, unfinished, "../../Store.sqlite", "cut o"].joined(separator: "\n"), to: log)
        _ = try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema, readOnly: true)
        #expect(bench.files.count == 4)
        _ = try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema)
        #expect(bench.files == [named, foreign].sorted())
        #expect(try bench.names == [".Store_SUPPORT", "Store.sqlite"])
    }

    @Test("A file with the name of a log and other content is not read as a log")
    func foreignLog() throws {
        let bench = try Bench()
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        let orphan = UUID().uuidString
        _ = try bench.folder.write("x", to: ".Store_SUPPORT/_EXTERNAL_DATA/" + orphan)
        _ = try bench.folder.write("other\n" + orphan + "\n", to: "Store.sqlite.external.\(Self.id).partial")
        _ = try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema)
        #expect(bench.files.contains(orphan))
    }

    @Test("The files of a new store are named in a log until the store is published")
    func newStore() throws {
        let bench = try Bench()
        let path = bench.folder.url.appending(path: "New.sqlite").path
        func logs() throws -> [String] { try bench.names.filter { $0.hasPrefix("New.sqlite.external.") } }
        do {
            let store = try SQLiteStore.create(path: path, schema: bench.store.schema)
            try store.transaction { try $0.insert(Bench.row(Bench.photo, 1, [0: Bench.bytes(Bench.long)])) }
            #expect(try logs().count == 1)
            try store.publish()
            #expect(try logs().isEmpty)
            #expect(try bench.names.contains(".New_SUPPORT"))
        }
        try FileManager.default.removeItem(atPath: path)
        do {
            let store = try SQLiteStore.create(path: path, schema: bench.store.schema)
            try store.transaction { try $0.insert(Bench.row(Bench.photo, 1, [0: Bench.bytes(Bench.long)])) }
            try store.ship(identifier: nil)
            #expect(try !logs().isEmpty)
        }
        #expect(try logs().isEmpty)
    }

    @Test("The files of a running process are kept")
    func atWork() throws {
        let bench = try Bench()
        try bench.store.transaction { writer in
            try writer.insert(Bench.row(Bench.photo, 1, [0: Bench.bytes(Bench.long)]))
            #expect(try bench.names.contains { $0.hasPrefix("Store.sqlite.external.") })
            _ = try? SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema)
            #expect(bench.files.count == 1)
        }
        #expect(try bench.value(1) == Bench.bytes(Bench.long))
        #expect(try bench.names == [".Store_SUPPORT", "Store.sqlite"])
    }
}
