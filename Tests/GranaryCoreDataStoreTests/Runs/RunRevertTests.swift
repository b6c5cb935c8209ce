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

@Suite("Reverting runs") struct RunRevertTests {
    static let factories: [StoreFactory] =
        [.sqlitePublished, .sqliteOpened, .sqliteWithHistory, writeAheadLog] + postgreSQL

    static let postgreSQL: [StoreFactory] =
        PostgreSQLServer.usable == nil ? [] : [.postgreSQLPublished, .postgreSQLWithHistory]

    /// One of each kind.
    static let kinds: [StoreFactory] = [.sqlitePublished] + postgreSQL.prefix(1)

    static let writeAheadLog = StoreFactory(name: "SQLite, with a write-ahead log") { schema in
        let folder = try KeptFolders.make()
        let store = try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        _ = try store.connection.text(pragma: "journal_mode = WAL")
        return OpenedStore(store: store, folder: folder)
    }

    @Test("Every table is restored", arguments: factories, [1] as [UInt64])
    func random(_ factory: StoreFactory, _ seed: UInt64) throws {
        let bench = try RunBench(factory)
        var generator = SeededGenerator(seed: seed)
        var keys: [Int64] = []
        try bench.store.transaction { writer in
            for number in 0..<6 { keys.append(try bench.insert(writer, name: "\(number)")) }
        }
        for round in 0..<6 {
            try bench.store.transaction { try bench.change($0, &keys, steps: 4, &generator) }
            let before = try bench.dump
            let keysBefore = keys
            let id = "run-\(round)"
            try bench.record(id) { try bench.change($0, &keys, steps: 10, &generator) }
            #expect(try bench.dump != before)
            #expect(bench.store.importRuns.map(\.id) == [id])
            #expect(try bench.runNames == [id])
            try bench.store.revert(run: id)
            let after = try bench.dump
            for table in before.keys.sorted() { #expect(after[table] == before[table], "\(table), round \(round)") }
            #expect(after == before)
            #expect(bench.store.importRuns.isEmpty)
            #expect(try bench.runNames.isEmpty)
            keys = keysBefore
        }
    }

    @Test("Several runs are reverted, newest first", arguments: factories)
    func stacked(_ factory: StoreFactory) throws {
        let bench = try RunBench(factory)
        var generator = SeededGenerator(seed: 7)
        var keys: [Int64] = []
        var dumps: [[String: [String]]] = []
        for round in 0..<5 {
            dumps.append(try bench.dump)
            try bench.record("run-\(round)") { try bench.change($0, &keys, steps: 8, &generator) }
        }
        #expect(bench.store.importRuns.map(\.id) == (0..<5).map { "run-\($0)" })
        for round in (0..<5).reversed() {
            let reverted = try bench.revertNewest()
            #expect(reverted.id == "run-\(round)")
            #expect(try bench.dump == dumps[round])
        }
        #expect(throws: GranaryError.self) { try bench.revertNewest() }
    }

    @Test("An older run can be reverted if its objects have not changed since", arguments: kinds)
    func older(_ factory: StoreFactory) throws {
        let bench = try RunBench(factory)
        var keys: [Int64] = []
        try bench.record("run-a") { keys.append(try bench.insert($0, name: "a")) }
        try bench.record("run-b") { keys.append(try bench.insert($0, name: "b")) }
        let reverted = try bench.store.revert(run: "run-a")
        #expect(reverted.removed == 1 && reverted.restored == 0 && reverted.broughtBack == 0)
        #expect(try bench.bench.keys("Node") == [2])
        #expect(try bench.store.lastKey(root: bench.node.index) == 2)
        #expect(bench.store.importRuns.map(\.id) == ["run-b"])
        try bench.store.revert(run: "run-b")
        #expect(try bench.bench.keys("Node").isEmpty)
        #expect(bench.store.importRuns.isEmpty)
    }

    @Test("An object whose version alone was raised by a run may change afterwards", arguments: kinds)
    func raised(_ factory: StoreFactory) throws {
        let bench = try RunBench(factory)
        var keys: [Int64] = []
        try bench.store.transaction { writer in keys.append(try bench.insert(writer, name: "owner")) }
        try bench.record("run-a") { writer in
            keys.append(try bench.insert(writer, name: "member"))
            try writer.raiseVersions(root: bench.node.root, keys: [keys[0]])
        }
        try bench.store.transaction { writer in try bench.rename(writer, keys[0], "renamed") }
        let reverted = try bench.store.revert(run: "run-a")
        #expect(reverted.removed == 1 && reverted.restored == 0)
        #expect(try bench.store.versions(root: bench.node.root, keys: keys) == [keys[0]: 3])
    }

    @Test("Rows with lower keys than the last one are recorded too", arguments: factories)
    func lowKeys(_ factory: StoreFactory) throws {
        let bench = try RunBench(factory)
        try bench.store.transaction { writer in
            _ = try writer.reserveKeys(root: bench.node.index, count: 5)
            for key: Int64 in [1, 3, 5] {
                try writer.insert(try bench.bench.row("Node", key, ["name": .string("old")]))
            }
        }
        let before = try bench.dump
        try bench.record("run-a") { writer in
            // A key without an object, a key whose object is deleted and inserted again, and a new highest key.
            try writer.insert(try bench.bench.row("Node", 2))
            try bench.rename(writer, 2, "renamed")
            try writer.delete(entity: bench.node.index, keys: [3, 5])
            for key: Int64 in [3, 5, 6] { try writer.insert(try bench.bench.row("Node", key)) }
            try bench.rename(writer, 6, "renamed")
            try writer.insert(try bench.bench.row("Node", 4))
            try writer.delete(entity: bench.node.index, keys: [4])
        }
        #expect(try bench.bench.keys("Node") == [1, 2, 3, 5, 6])
        let reverted = try bench.store.revert(run: "run-a")
        #expect(reverted.removed == 2 && reverted.restored == 2)
        #expect(try bench.dump == before)
    }

    private func conflictCodes(_ body: () throws -> Void) -> [Diagnostic.Code] {
        do { try body() } catch let error as GranaryError { return error.diagnostics.map(\.code) } catch {}
        return []
    }

    @Test("Later changes are reported, and nothing is written", arguments: kinds)
    func conflicts(_ factory: StoreFactory) throws {
        let bench = try RunBench(factory)
        var keys: [Int64] = []
        try bench.store.transaction { writer in
            for number in 0..<4 { keys.append(try bench.insert(writer, name: "\(number)")) }
        }
        try bench.record("run-a") { writer in
            keys.append(try bench.insert(writer, name: "new"))
            try bench.rename(writer, keys[0], "renamed")
            try writer.delete(entity: bench.node.index, keys: [keys[1]])
        }
        let pointer = try bench.bench.relationship("pointer")
        let likes = try bench.bench.relationship("likes")
        let changes: [(any StoreWriter) throws -> Void] = [
            { try bench.rename($0, keys[0], "again") },
            { try bench.rename($0, keys[4], "renamed") },
            { try $0.delete(entity: bench.node.index, keys: [keys[4]]) },
            { try $0.insert(try bench.bench.row("Node", keys[1])) },
            { try $0.setReference(pointer, owner: keys[2], entity: bench.node.index, destination: keys[4]) },
            {
                try $0.setLinks(
                    likes, owner: keys[2], ownerEntity: bench.node.index,
                    to: [Link(owner: keys[2], entity: bench.node.index, destination: keys[4])])
            },
        ]
        for change in changes {
            let before = try bench.dump
            try bench.record("run-b", change)
            let changed = try bench.dump
            let codes = conflictCodes { _ = try bench.store.revert(run: "run-a") }
            #expect(codes == [.objectConflict])
            #expect(try bench.dump == changed)
            try bench.store.revert(run: "run-b")
            #expect(try bench.dump == before)
        }
        try bench.store.revert(run: "run-a")
        #expect(try bench.bench.keys("Node") == Array(keys.prefix(4)))
    }

    @Test("A failed transaction leaves no run", arguments: kinds)
    func failed(_ factory: StoreFactory) throws {
        struct Stop: Error {}
        let bench = try RunBench(factory)
        let before = try bench.dump
        #expect(throws: Stop.self) {
            try bench.record("run-a") { writer -> Void in
                _ = try bench.insert(writer, name: "x")
                throw Stop()
            }
        }
        #expect(try bench.dump == before)
        #expect(try bench.runNames.isEmpty && bench.store.importRuns.isEmpty)
        #expect(throws: GranaryError.self) { try bench.store.revert(run: "run-a") }
        #expect(throws: GranaryError.self) { try bench.store.revert(run: "../a") }
    }

    @Test("Reverting the run of a new store gives an empty store") func newStore() throws {
        let folder = try TemporaryFolder()
        let schema = try ConformanceModel.model.resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        let empty = try StoreDump.of(store.connection)
        let tag = try #require(schema.entity(named: "Tag"))
        try store.transaction(recording: "run-a") { writer in
            var batch = RowBatch()
            let key = try writer.reserveKeys(root: tag.index, count: 1)
            batch.appendRow(entity: tag.index, key: key, version: 1, slotCount: tag.slotCount)
            try writer.insert(batch)
            try writer.recordRun(RunBench.entry("run-a"))
        }
        try store.publish()
        try store.revert(run: "run-a")
        #expect(try StoreDump.of(store.connection) == empty)
    }

    @Test("The runs of a store that is never published are removed") func given() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try SQLiteStore.create(path: folder.storePath, schema: try ConformanceModel.model.resolved())
            try store.transaction(recording: "run-a") { try $0.recordRun(RunBench.entry("run-a")) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("External files are restored and removed") func externalData() throws {
        let bench = try ExternalBench()
        let long = ExternalBench.long
        try bench.insert(1, [0: ExternalBench.bytes(long, seed: 1)])
        try bench.insert(2, [0: ExternalBench.bytes(long, seed: 2)])
        let (before, files) = (try StoreDump.of(bench.store.connection), bench.files)
        try bench.store.transaction(recording: "run-a") { writer in
            try writer.update(
                ExternalBench.row(ExternalBench.photo, 1, version: 2, [0: ExternalBench.bytes(long, seed: 3)]))
            try writer.delete(entity: ExternalBench.photo, keys: [2])
            try writer.insert(ExternalBench.row(ExternalBench.photo, 3, [0: ExternalBench.bytes(long, seed: 4)]))
        }
        #expect(Set(bench.files).isDisjoint(with: files))
        try bench.store.revert(run: "run-a")
        #expect(try StoreDump.of(bench.store.connection) == before)
        #expect(bench.files == files)
        #expect(try bench.value(2) == ExternalBench.bytes(long, seed: 2))
    }

    @Test("Derived attributes are restored", arguments: kinds)
    func derived(_ factory: StoreFactory) throws {
        let schema = try DerivedBench.model.resolved()
        let opened = try factory.make(schema)
        let store = try #require(opened.store as? any RevertingStore)
        let owner = try #require(schema.entity(named: "Owner"))
        let item = try #require(schema.entity(named: "Item"))
        let reference = try #require(item.relationship(named: "owner"))
        func insert(_ writer: any StoreWriter, _ entity: Schema.Entity, _ keys: ClosedRange<Int64>) throws {
            var batch = RowBatch()
            for key in keys {
                let row = batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
                if let name = entity.attribute(named: "name") {
                    AttributeValue.string("o\(key)").withBorrowed { batch.set($0, row: row, slot: name.slot) }
                }
                if let amount = entity.attribute(named: "amount") {
                    AttributeValue.integer(key).withBorrowed { batch.set($0, row: row, slot: amount.slot) }
                }
            }
            try writer.insert(batch)
        }
        try store.transaction { writer in
            try insert(writer, owner, 1...3)
            try insert(writer, item, 1...4)
            try writer.setReference(reference, owner: 1, entity: owner.index, destination: 1)
        }
        let before = try RunBench.dump(opened)
        try store.transaction(recording: "run-a") { writer in
            try insert(writer, owner, 4...5)
            try insert(writer, item, 5...6)
            try writer.setReference(reference, owner: 1, entity: owner.index, destination: 4)
            try writer.setReference(reference, owner: 2, entity: owner.index, destination: 1)
            try writer.delete(entity: item.index, keys: [3])
        }
        #expect(try RunBench.dump(opened) != before)
        try store.revert(run: "run-a")
        #expect(try RunBench.dump(opened) == before)
    }
}
