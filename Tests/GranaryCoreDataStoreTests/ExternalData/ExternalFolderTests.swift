import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The folder of external data") struct ExternalFolderTests {
    private typealias Bench = ExternalBench

    @Test(
        "The folder is next to the store and has the store's name",
        arguments: [
            ("/a/Store.sqlite", "/a/.Store_SUPPORT"), ("Store.sqlite", ".Store_SUPPORT"),
            ("/a/b.c/Store", "/a/b.c/.Store_SUPPORT"), ("/a/My.Store.v2.sqlite", "/a/.My.Store.v2_SUPPORT"),
            ("/a/My Store.sqlite", "/a/.My Store_SUPPORT"), ("/a/v1.2 final", "/a/.v1.2 final_SUPPORT"),
            ("/a/50%.db", "/a/.50%_SUPPORT"), ("/a/a%20b.db", "/a/.a%20b_SUPPORT"), ("/.sqlite", "/..sqlite_SUPPORT"),
            ("./Grün.sqlite", "./.Grün_SUPPORT"), ("/a/#?;.sqlite", "/a/.#?;_SUPPORT"),
        ])
    func names(_ path: String, _ folder: String) {
        #expect(SQLiteStore.supportFolder(ofStore: path) == folder)
    }

    @Test("Values are read back for any store name", arguments: ["50% of a%20b.v2.db", "none", "a b.c d"])
    func unusualNames(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/" + name
        let store = try SQLiteStore.openOrCreate(path: path, schema: try Bench.model.resolved())
        try store.transaction { try $0.insert(Bench.row(Bench.photo, 1, [0: Bench.bytes(Bench.long)])) }
        let external = SQLiteStore.supportFolder(ofStore: path) + "/_EXTERNAL_DATA"
        #expect(try FileManager.default.contentsOfDirectory(atPath: external).count == 1)
        let batch = try store.read(root: Bench.photo, keys: [1])
        let attribute = store.schema.entities[Bench.photo].attributes[0]
        #expect(try batch.value(row: 0, of: attribute) == .binary(Bench.bytes(Bench.long)))
    }

    @Test("For a store opened by a link, the folder is next to the link")
    func linkedStore() throws {
        let (home, other) = (try TemporaryFolder(), try TemporaryFolder())
        let schema = try Bench.model.resolved()
        try SQLiteStore.create(path: other.url.path + "/Real.sqlite", schema: schema).publish()
        try FileManager.default.createSymbolicLink(
            atPath: home.storePath, withDestinationPath: other.url.path + "/Real.sqlite")
        let bench = try Bench(home)
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        #expect(bench.files.count == 1)
        try bench.update(1, [0: Bench.bytes(Bench.long, seed: 1)])
        #expect(bench.files.count == 1)
        #expect(try bench.value(1) == Bench.bytes(Bench.long, seed: 1))
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["Real.sqlite"])
    }

    @Test("The folder has the permissions of the store", arguments: [(0o600, 0o700), (0o640, 0o750)])
    func permissions(_ file: Int, _ folder: Int) throws {
        let bench = try Bench()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: file], ofItemAtPath: bench.folder.storePath)
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        func mode(_ path: String) throws -> Int? {
            (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode(bench.external.path) == folder)
        #expect(try mode(bench.external.deletingLastPathComponent().path) == folder)
        let name = try #require(bench.files.first)
        #expect(try mode(bench.external.appending(path: name).path) == file)
    }

    @Test("If the folder cannot be created, the store is unchanged")
    func noFolder() throws {
        let bench = try Bench()
        _ = try bench.folder.write("mine", to: ".Store_SUPPORT")
        let error = #expect(throws: GranaryError.self) { try bench.insert(1, [0: Bench.bytes(Bench.long)]) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("Store.sqlite") == true)
        #expect(error?.message.contains("_EXTERNAL_DATA") == true)
        #expect(try bench.store.count(entity: Bench.photo) == 0)
        #expect(try bench.names == [".Store_SUPPORT", "Store.sqlite"])
        // Short values need no folder.
        try bench.insert(1, [0: Data([1])])
        #expect(try bench.value(1) == Data([1]))
    }

    // MARK: - Unpublished stores

    @Test("The files of a new store are in the folder of its final name and stay when it is published")
    func publishing() throws {
        let bench = try Bench(try TemporaryFolder(), inTheMaking: true)
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        #expect(bench.files.count == 1)
        #expect(try bench.value(1) == Bench.bytes(Bench.long))
        try bench.store.publish()
        try bench.insert(2, [0: Bench.bytes(Bench.long)])
        #expect(bench.files.count == 2)
        #expect(try bench.names == [".Store_SUPPORT", "Store.sqlite"])
        let again = try Bench(bench.folder)
        #expect(try again.value(1) == Bench.bytes(Bench.long))
    }

    @Test("A store that is never published leaves no files")
    func givenUp() throws {
        let folder = try TemporaryFolder()
        do {
            let bench = try Bench(folder, inTheMaking: true)
            try bench.insert(1, [0: Bench.bytes(Bench.long)])
            try bench.insert(2, [0: Bench.bytes(Bench.long)])
            try bench.update(2, [:])
            #expect(bench.files.count == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("If another store is published under the name first, its files stay")
    func lateComer() throws {
        let winner: ExternalBench
        do {
            let late = try Bench(try TemporaryFolder(), inTheMaking: true)
            try late.insert(1, [0: Bench.bytes(Bench.long)])
            winner = try Bench(late.folder)
            try winner.insert(1, [0: Bench.bytes(Bench.long, seed: 1)])
            #expect(winner.files.count == 2)
            let error = #expect(throws: GranaryError.self) { try late.store.publish() }
            #expect(error?.code == .uncreatable)
        }
        #expect(winner.files.count == 1)
        #expect(try winner.value(1) == Bench.bytes(Bench.long, seed: 1))
    }

    // MARK: - Uniqueness and checks

    @Test("Unique values are stored inline, so equal values of any length are refused")
    func uniqueness() throws {
        let bench = try Bench()
        let constraint = try #require(bench.store.schema.entities[Bench.badge].uniquenessConstraints.first)
        let seal = Bench.bytes(Bench.long)
        try bench.store.transaction { try $0.insert(Bench.row(Bench.badge, 1, [0: seal])) }
        #expect(bench.files == [])
        let error = #expect(throws: GranaryError.self) {
            try bench.store.transaction { try $0.insert(Bench.row(Bench.badge, 2, [0: seal])) }
        }
        #expect(error?.diagnostics.first?.code == .uniqueExists)
        // Core Data may have written another value into a file.
        let name = UUID().uuidString
        try FileManager.default.createDirectory(at: bench.external, withIntermediateDirectories: true)
        try Bench.bytes(Bench.long, seed: 1).write(to: bench.external.appending(path: name))
        try bench.store.connection.execute(
            "INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZSEAL) VALUES (3, 1, 1, CAST(x'02' || '\(name)' || x'00' AS BLOB))"
        )
        func keys(_ data: Data) throws -> [Int64] {
            try bench.store.keys(matching: constraint, in: Bench.row(Bench.badge, 0, [0: data]), row: 0)
        }
        #expect(try keys(seal) == [1])
        #expect(try keys(Bench.bytes(Bench.long, seed: 1)) == [3])
        #expect(try keys(Bench.bytes(Bench.long, seed: 2)) == [])
        #expect(try keys(Data([1])) == [])
        // An update stores the value inline, where the index contains it.
        try bench.store.transaction {
            try $0.update(Bench.row(Bench.badge, 3, version: 2, [0: Bench.bytes(Bench.long, seed: 1)]))
        }
        #expect(bench.files == [])
        #expect(try keys(Bench.bytes(Bench.long, seed: 1)) == [3])
    }

    @Test("A store check reports every missing file")
    func storeCheck() throws {
        let bench = try Bench()
        for key in 1...3 { try bench.insert(Int64(key), [0: Bench.bytes(Bench.long)]) }
        try bench.store.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_SUPER = 0")
        var found = DiagnosticCollector()
        try StoreCheck(bench.store).run(&found)
        #expect(found.diagnostics.map(\.description) == [])
        for name in bench.files { try FileManager.default.removeItem(at: bench.external.appending(path: name)) }
        try StoreCheck(bench.store).run(&found)
        #expect(found.diagnostics.map(\.code) == [.storeCorrupt, .storeCorrupt, .storeCorrupt])
        #expect(found.diagnostics.map(\.property) == ["data", "data", "data"])
        #expect(found.diagnostics.first?.message.contains("Z_PK 1;") == true)
    }
}
