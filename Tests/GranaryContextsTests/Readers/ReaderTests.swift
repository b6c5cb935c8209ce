import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Reading beside the writer, in stores with a write-ahead log.
@Suite("Readers beside the writer") struct ReaderTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Item", [.attribute("number", .integer64), .attribute("text", .string)])
    ])

    private static func container(
        _ factory: StoreFactory = .sqliteWithLog, items: Int = 10
    ) throws -> PersistentContainer {
        let container = try PersistentContainer(model, factory)
        let context = container.makeContext()
        for number in 0..<items {
            try context.insert(into: "Item").setValue(.integer(Int64(number)), forKey: "number")
        }
        try context.save()
        return container
    }

    /// A container with a file of its own and a limit of readers.
    private static func container(in folder: TemporaryFolder, readers: Int) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(URL(filePath: folder.storePath)))
        description.journalMode = .wal
        description.maximumReaderCount = readers
        let container = try PersistentContainer(name: "a", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }

    private static func store(_ container: PersistentContainer) throws -> PersistentStore {
        try #require(container.persistentStoreCoordinator.persistentStores.first)
    }

    @Test("A fetch, a fault and an export do not wait for a writer", arguments: [true, false])
    func besideAWriter(hasLog: Bool) async throws {
        let container = try Self.container(hasLog ? .sqliteWithLog : .sqlitePublished)
        let (begun, end, done) = (Gate(), Gate(), Gate())
        let writing = onThread {
            try container.persistentStoreCoordinator.withStore { store in
                try store.transaction { _ in
                    begun.open()
                    end.wait()
                }
            }
        }
        await begun.opened()
        let reading = onThread { () throws -> Int in
            let objects = try container.makeContext().fetchAll("Item")
            let values = try objects.map { try $0.value(forKey: "number") }
            let rows = try container.withStore(forReading: true) { store in try store.count(entity: 0) }
            done.open()
            return values.count + rows
        }
        // Without a log the reader waits.
        #expect(await done.opened(within: hasLog ? 20 : 0.2) == hasLog)
        end.open()
        try await writing.value
        #expect(try await reading.value == 20)
    }

    @Test("Reads see the saves before them")
    func ownWrites() throws {
        let container = try Self.container(items: 0)
        for number in 1...50 {
            let context = container.makeContext()
            try context.insert(into: "Item")
            try context.save()
            #expect(try container.makeContext().count(for: FetchRequest("Item")) == number)
        }
    }

    @Test("`read` keeps one state, runs beside the writer, and cannot write")
    func reading() async throws {
        let container = try Self.container()
        let counts = try await container.read { context in
            let first = try context.count(for: FetchRequest("Item"))
            let writer = container.makeContext()
            try writer.insert(into: "Item")
            try writer.save()
            return [first, try context.count(for: FetchRequest("Item")), try context.fetchAll("Item").count]
        }
        #expect(counts == [10, 10, 10])
        #expect(try await container.read { try $0.count(for: FetchRequest("Item")) } == 11)
        let writes: [@Sendable (ManagedObjectContext) throws -> Void] = [
            { context in
                try context.insert(into: "Item")
                try context.save()
            },
            { context in try context.execute(BatchDeleteRequest(FetchRequest("Item"))) },
            { context in try context.obtainPermanentIDs(for: [try context.insert(into: "Item")]) },
        ]
        for write in writes {
            let error = await #expect(throws: GranaryError.self) { try await container.read(write) }
            #expect(error?.code == .usage && error?.message.contains("use perform") == true)
        }
        #expect(try await container.read { try $0.count(for: FetchRequest("Item")) } == 11)
    }

    @Test("`read` works in every kind of store", arguments: StoreFactory.kinds)
    func readingAnyKind(factory: StoreFactory) async throws {
        let container = try Self.container(factory)
        #expect(try await container.read { try $0.fetchAll("Item").count } == 10)
    }

    /// A reader was once deallocated under the lock that it needs for that.
    @Test("Reads begin and end on several threads", arguments: [2, 8])
    func manyReads(readers: Int) async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(in: folder, readers: readers)
        let gates = (0..<8).map { _ in Gate() }
        for gate in gates {
            Thread.detachNewThread {
                for _ in 0..<400 {
                    let context = container.makeContext()
                    #expect(throws: Never.self) {
                        try context.setQueryGeneration(.current)
                        _ = try context.count(for: FetchRequest("Item"))
                    }
                }
                gate.open()
            }
        }
        for gate in gates { #expect(await gate.opened()) }
    }

    @Test("The number of concurrent reads is limited")
    func limit() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(in: folder, readers: 2)
        let usage = Usage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await container.read { context in
                        usage.begin()
                        defer { usage.end() }
                        _ = try context.fetchAll("Item")
                        usleep(20_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(usage.most == 2)
    }

    @Test("Waiting reads run by priority, and a cancelled one does not run")
    func priorities() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(in: folder, readers: 1)
        let (begun, end) = (Gate(), Gate())
        let order = Names()
        let first = Task {
            try await container.read { _ in
                begun.open()
                end.wait()
            }
        }
        await begun.opened()
        var tasks: [Task<Void, any Error>] = []
        for (name, priority) in [("low", TaskPriority.low), ("cancelled", .high), ("high", .high)] {
            tasks.append(
                Task(priority: priority) { try await container.read { _ in order.add(name) } })
            // Each waits before the next one comes.
            try await Task.sleep(for: .milliseconds(50))
        }
        tasks[1].cancel()
        let error = await #expect(throws: GranaryError.self) { try await tasks[1].value }
        #expect(error?.code == .interrupted)
        end.open()
        try await first.value
        for task in [tasks[0], tasks[2]] { try await task.value }
        #expect(order.all == ["high", "low"])
    }

    @Test("Cancelling the task interrupts reading")
    func cancelling() async throws {
        let container = try Self.container(items: 3000)
        let begun = Gate()
        let task = Task {
            try await container.read { context in
                begun.open()
                // Ends with the cancellation only.
                while true { _ = try context.fetchAll("Item") }
            }
        }
        await begun.opened()
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        let error = await #expect(throws: GranaryError.self) { try await task.value }
        #expect(error?.code == .interrupted)
    }

    @Test("Cancelling the task ends the waiting for a writer")
    func cancellingAWait() async throws {
        let container = try Self.container()
        let (locked, end) = (Gate(), Gate())
        let holding = onThread {
            try container.withStore { _ in
                locked.open()
                end.wait()
            }
        }
        await locked.opened()
        let waiting = Task {
            try await container.performBackgroundTask { context in
                try context.insert(into: "Item")
                try context.save()
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        let error = await #expect(throws: GranaryError.self) { try await waiting.value }
        #expect(error?.code == .interrupted)
        end.open()
        try await holding.value
        #expect(try await container.read { try $0.count(for: FetchRequest("Item")) } == 10)
    }

    @Test("Background tasks run at the same time and return their results")
    func backgroundTasks() async throws {
        let container = try Self.container()
        let (first, second) = (Gate(), Gate())
        // Each waits for the other one.
        async let one = container.performBackgroundTask { context in
            first.open()
            second.wait()
            return try context.count(for: FetchRequest("Item"))
        }
        async let two = container.performBackgroundTask { context in
            second.open()
            first.wait()
            return try context.fetchAll("Item").count
        }
        #expect(try await [one, two] == [10, 10])
    }

    @Test("After closing, the store is one complete file")
    func closing() throws {
        let folder = try TemporaryFolder()
        do {
            let container = try Self.container(in: folder, readers: 2)
            let context = container.makeContext()
            try context.insert(into: "Item")
            try context.save()
            #expect(try container.makeContext().count(for: FetchRequest("Item")) == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.storePath + "-wal"))
        let copy = folder.url.appending(path: "Copy.sqlite")
        try FileManager.default.copyItem(at: URL(filePath: folder.storePath), to: copy)
        let container = try PersistentContainer(model: Self.model, store: .sqlite(copy))
        #expect(try container.makeContext().count(for: FetchRequest("Item")) == 1)
    }

    @Test("A file that only a kept state names stays until the state is released")
    func externalFiles() throws {
        let folder = try TemporaryFolder()
        let external = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("data", .binary, .externalStorage)])
        ])
        var description = PersistentStoreDescription(.sqlite(URL(filePath: folder.storePath)))
        description.journalMode = .wal
        let files = {
            let path = folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA").path
            return try FileManager.default.contentsOfDirectory(atPath: path).count
        }
        do {
            let container = try PersistentContainer(name: "a", model: external, descriptions: [description])
            try container.loadPersistentStores()
            let context = container.makeContext()
            let item = try context.insert(into: "Item")
            let save = { (byte: UInt8) in
                try item.setValue(.binary(Data(repeating: byte, count: 200_000)), forKey: "data")
                try context.save()
            }
            try save(1)
            let old = container.makeContext()
            try old.setQueryGeneration(.current)
            #expect(try old.count(for: FetchRequest("Item")) == 1)
            try save(2)
            try save(3)
            #expect(try files() == 3)
            let kept = try #require(try old.fetchAll("Item").first)
            #expect(try kept.value(forKey: "data") == .binary(Data(repeating: 1, count: 200_000)))
            try old.setQueryGeneration(nil)
            try save(4)
            #expect(try files() == 1)

            let other = container.makeContext()
            try other.setQueryGeneration(.current)
            #expect(try other.count(for: FetchRequest("Item")) == 1)
            try save(5)
            #expect(try files() == 2)
        }
        // Also when the store is closed.
        #expect(try files() == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                ".Store_SUPPORT", "Store.sqlite",
            ])
    }

    @Test("A store that a migration brings into the mode has readers")
    func migratedStore() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container(.inMemory)
        var description = PersistentStoreDescription(.sqlite(URL(filePath: folder.storePath)))
        description.journalMode = .wal
        try container.persistentStoreCoordinator.migratePersistentStore(try Self.store(container), to: description)
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        #expect(try context.fetchAll("Item").count == 10)
    }
}

/// Counts the work that runs at the same time.
private final class Usage: Sendable {
    private let counts = Mutex((running: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.running += 1
            counts.most = max(counts.most, counts.running)
        }
    }

    func end() { counts.withLock { $0.running -= 1 } }
}

private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
