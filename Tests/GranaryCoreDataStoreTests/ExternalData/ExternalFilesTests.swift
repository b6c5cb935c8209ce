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

@Suite("Files with external data") struct ExternalFilesTests {
    private typealias Bench = ExternalBench
    private struct Stop: Error {}

    @Test(
        "A value above the limit is stored in a file, others inline",
        arguments: [ExternalData.inlineLimit - 1, ExternalData.inlineLimit, ExternalData.inlineLimit + 1])
    func threshold(_ count: Int) throws {
        let bench = try Bench()
        let data = Bench.bytes(count)
        try bench.insert(1, [0: data, 1: data, 2: data])
        for slot in 0..<3 { #expect(try bench.value(1, slot: slot) == data) }
        let plain = try bench.column(1, "ZPLAIN")
        #expect(plain?.hasPrefix("\(count) ") == true)
        guard count > 102_400 else {
            #expect(bench.files == [])
            #expect(try bench.names == ["Store.sqlite"])
            #expect(try bench.column(1) == "\(count + 1) 01 ")
            return
        }
        #expect(bench.files.count == 2)
        for name in bench.files {
            #expect(UUID(uuidString: name)?.uuidString == name)
            #expect(try Data(contentsOf: bench.external.appending(path: name)) == data)
        }
        let columns = [try #require(try bench.column(1)), try #require(try bench.column(1, "ZSHAPE"))]
        #expect(Set(columns) == Set(bench.files.map { "38 02 \($0)00" }))
        let other = try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema, readOnly: true)
        let batch = try other.read(root: Bench.photo, keys: [1])
        #expect(try batch.value(row: 0, of: other.schema.entities[1].attributes[0]) == .binary(data))
    }

    @Test("An update keeps the file of an unchanged value and replaces others")
    func updates() throws {
        let bench = try Bench()
        let (first, second) = (Bench.bytes(Bench.long), Bench.bytes(Bench.long, seed: 1))
        try bench.insert(1, [0: first, 2: first])
        let before = [try bench.column(1), try bench.column(1, "ZSHAPE")]
        try bench.update(1, [0: first, 1: Data([1]), 2: second])
        #expect(try bench.column(1) == before[0])
        let shape = try #require(try bench.column(1, "ZSHAPE"))
        #expect(shape != before[1])
        #expect(bench.files.count == 2)
        #expect(try bench.value(1) == first)
        #expect(try bench.value(1, slot: 2) == second)
        // A value of another length, an inline value, and NULL.
        try bench.update(1, [0: Bench.bytes(Bench.long + 1), 2: Data([7])])
        #expect(bench.files.count == 1)
        #expect(try bench.value(1) == Bench.bytes(Bench.long + 1))
        #expect(try bench.column(1, "ZSHAPE") == "2 01 ")
        try bench.update(1, [:])
        #expect(bench.files == [])
        #expect(try bench.value(1) == nil)
        // A long value again.
        try bench.update(1, [0: first])
        #expect(bench.files.count == 1)
    }

    @Test("An update writes a missing file again")
    func healing() throws {
        let bench = try Bench()
        try bench.insert(1, [0: Bench.bytes(Bench.long)])
        let name = try #require(bench.files.first)
        try FileManager.default.removeItem(at: bench.external.appending(path: name))
        #expect(throws: GranaryError.self) { try bench.value(1) }
        try bench.update(1, [0: Bench.bytes(Bench.long)])
        #expect(try bench.value(1) == Bench.bytes(Bench.long))
        #expect(!bench.files.contains(name))
    }

    @Test("A failed transaction removes its new files and keeps the old ones")
    func rollback() throws {
        let bench = try Bench()
        let long = Bench.bytes(Bench.long)
        #expect(throws: Stop.self) {
            try bench.store.transaction { writer in
                try writer.insert(Bench.row(Bench.photo, 1, [0: long]))
                throw Stop()
            }
        }
        #expect(try bench.names == ["Store.sqlite"])
        try bench.insert(1, [0: long])
        try bench.insert(2, [0: long])
        let files = bench.files
        #expect(files.count == 2)
        #expect(throws: Stop.self) {
            try bench.store.transaction { writer in
                try writer.update(Bench.row(Bench.photo, 1, version: 2, [0: Bench.bytes(Bench.long, seed: 9)]))
                try writer.delete(entity: Bench.photo, keys: [2])
                try writer.insert(Bench.row(Bench.photo, 3, [2: long]))
                throw Stop()
            }
        }
        #expect(bench.files == files)
        #expect(try bench.value(1) == long)
        #expect(try bench.value(2) == long)
    }

    @Test("A refused row leaves no file, even if the transaction continues")
    func refusedRow() throws {
        let bench = try Bench()
        let long = Bench.bytes(Bench.long)
        try bench.insert(1, [0: long])
        let files = bench.files
        var refusals = 0
        try bench.store.transaction { writer in
            do { try writer.insert(Bench.row(Bench.photo, 1, [0: long])) } catch { refusals += 1 }
            do { try writer.update(Bench.row(Bench.photo, 5, [0: long])) } catch { refusals += 1 }
        }
        #expect(refusals == 2)
        #expect(bench.files == files)
        #expect(try bench.value(1) == long)
    }

    @Test("A deleted object's files are removed after the commit")
    func deletion() throws {
        let bench = try Bench()
        try bench.insert(1, [0: Bench.bytes(Bench.long), 2: Bench.bytes(Bench.long)])
        try bench.insert(2, [0: Bench.bytes(Bench.long), 2: Bench.bytes(3)])
        var before = 0
        try bench.store.transaction { writer in
            try writer.delete(entity: Bench.photo, keys: [1, 77])
            before = bench.files.count
        }
        #expect(before == 3)
        #expect(bench.files.count == 1)
        #expect(try bench.value(2) == Bench.bytes(Bench.long))
    }

    @Test("A file created and replaced in one transaction is removed")
    func shortLived() throws {
        let bench = try Bench()
        try bench.store.transaction { writer in
            try writer.insert(Bench.row(Bench.photo, 1, [0: Bench.bytes(Bench.long)]))
            try writer.update(Bench.row(Bench.photo, 1, version: 2, [0: Bench.bytes(Bench.long, seed: 1)]))
            try writer.insert(Bench.row(Bench.photo, 2, [0: Bench.bytes(Bench.long)]))
            try writer.delete(entity: Bench.photo, keys: [2])
        }
        #expect(bench.files.count == 1)
        #expect(try bench.value(1) == Bench.bytes(Bench.long, seed: 1))
    }

    @Test("Removing a file does not follow a symbolic link")
    func hostileNames() throws {
        let bench = try Bench()
        let secret = try bench.folder.write("secret", to: "secret")
        try bench.store.connection.execute(
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 2, 1, CAST(x'02' || '../../secret' AS BLOB))")
        try bench.store.transaction { try $0.delete(entity: Bench.photo, keys: [1]) }
        #expect(FileManager.default.fileExists(atPath: secret.path))
    }

    @Test("Random transactions, some of which fail, leave exactly the files that rows name", arguments: 0..<4)
    func programs(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let bench = try Bench(try TemporaryFolder(), inTheMaking: seed.isMultiple(of: 2))
        var twin: [Int64: Data] = [:]
        for _ in 0..<15 {
            var changed = twin
            let fails = Int.random(in: 0..<4, using: &random) == 0
            do {
                try bench.store.transaction { writer in
                    for _ in 0..<4 {
                        let key = Int64.random(in: 1...5, using: &random)
                        let isLong = Bool.random(using: &random)
                        let data = Bench.bytes(
                            isLong ? Bench.long : 10, seed: UInt8.random(in: 0..<3, using: &random))
                        if changed[key] == nil {
                            try writer.insert(Bench.row(Bench.photo, key, [0: data]))
                            changed[key] = data
                        } else if Int.random(in: 0..<3, using: &random) == 0 {
                            try writer.delete(entity: Bench.photo, keys: [key])
                            changed[key] = nil
                        } else {
                            try writer.update(Bench.row(Bench.photo, key, version: 2, [0: data]))
                            changed[key] = data
                        }
                    }
                    if fails { throw Stop() }
                }
                twin = changed
            } catch is Stop {}
            #expect(bench.files.count == twin.values.filter { $0.count == Bench.long }.count)
            for (key, data) in twin { #expect(try bench.value(key) == data) }
        }
    }
}
