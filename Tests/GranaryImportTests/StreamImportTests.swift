import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranaryRecords
import Synchronization
import TestSupport
import Testing

/// Imports from asynchronous sequences.
@Suite("Imports from streams") struct StreamImportTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription("Coffee", [.attribute("name", .string), .attribute("price", .integer64)])
    ])

    private static func container() throws -> PersistentContainer {
        try PersistentContainer(model: model, store: .inMemory)
    }

    private static func names(_ container: PersistentContainer) async throws -> [String] {
        try await container.perform { context in
            var request = FetchRequest("Coffee")
            request.sortDescriptors = [ObjectSortDescriptor("price")]
            return try context.fetch(request).map { try $0.string(forKey: "name") ?? "-" }
        }
    }

    /// Yields elements, then ends with an error or waits to be cancelled.
    private struct Chunks<Element: Sendable>: AsyncSequence, Sendable {
        var elements: [Element]
        var error: (any Error)?
        var waitsForever = false
        /// The number of elements that were asked for.
        let asked = Counter()
        let ended = Counter()

        final class Counter: Sendable {
            let value = Mutex(0)
            var count: Int { value.withLock { $0 } }
        }

        /// Counts the iterators that are gone.
        final class Token {
            let counter: Counter

            init(_ counter: Counter) { self.counter = counter }

            deinit { counter.value.withLock { $0 += 1 } }
        }

        struct Iterator: AsyncIteratorProtocol {
            let chunks: Chunks
            let token: Token
            var next = 0

            mutating func next() async throws -> Element? {
                chunks.asked.value.withLock { $0 += 1 }
                defer { next += 1 }
                if next < chunks.elements.count { return chunks.elements[next] }
                if chunks.waitsForever { try await Task.sleep(for: .seconds(600)) }
                if let error = chunks.error { throw error }
                return nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: self, token: Token(ended)) }
    }

    private struct Broken: Error {}

    private static let csv = "name,price\nJava,1\nSumatra,2\n"

    @Test("Chunks of any size, single bytes and records give the same objects")
    func sources() async throws {
        let bytes = [UInt8](Self.csv.utf8)
        let pieces = bytes.map { [$0] }
        let records: [[RecordField?]] = [
            [.value(.text("Java")), .value(.integer(1))], [.value(.text("Sumatra")), .value(.integer(2))],
        ]
        let json = Data(
            #"{"entities": {"Coffee": [{"name": "Java", "price": 1}, {"name": "Sumatra", "price": 2}]}}"#.utf8)
        let sources: [(String?, ImportSource)] = [
            ("Coffee", .stream(name: "a.csv") { Chunks(elements: [bytes]) }),
            ("Coffee", .stream(name: "b", format: .csv) { Chunks(elements: [[]] + pieces) }),
            ("Coffee", .stream(name: "c.csv") { Chunks(elements: bytes) }),
            (nil, .stream(name: "d", format: .json) { Chunks(elements: [json.prefix(9), json.dropFirst(9)]) }),
            ("Coffee", .stream(name: "e.csv") { Chunks(elements: [Gzip.stored(bytes)]) }),
            ("Coffee", .records(name: "f", columns: ["name", "price"]) { Chunks(elements: records) }),
        ]
        for (entity, source) in sources {
            let container = try Self.container()
            let report = try await Importer(entity: entity, from: source).run(into: container)
            #expect(report.created == 2, "\(source.name)")
            #expect(try await Self.names(container) == ["Java", "Sumatra"], "\(source.name)")
        }
    }

    @Test("An error of the sequence ends the import and nothing is stored", arguments: [true, false])
    func failing(keepsGood: Bool) async throws {
        let container = try Self.container()
        var run = ImportRunOptions()
        if keepsGood { run.mode = .keepGood }
        let chunks = Chunks(elements: [[UInt8](Self.csv.utf8)], error: Broken())
        let importer = Importer(entity: "Coffee", from: .stream(name: "up.csv") { chunks }, run: run)
        let error = await #expect(throws: GranaryError.self) { try await importer.run(into: container) }
        #expect(error?.code == .inputOutput && error?.underlying is Broken)
        #expect(error?.message.hasPrefix("up.csv: the stream ended with an error") == true)
        let records = ImportSource.records(name: "r", columns: ["name"]) {
            Chunks<[RecordField?]>(elements: [[.value(.text("x"))]], error: GranaryError(.refused, "mine"))
        }
        let other = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: records, run: run).run(into: container)
        }
        #expect(other?.message == "mine")
        let unmade = ImportSource.stream(name: "u.csv") { () throws -> Chunks<[UInt8]> in throw Broken() }
        await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: unmade, run: run).run(into: container)
        }
        #expect(try await Self.names(container) == [])
    }

    @Test("Cancelling the import ends it and the task of the sequence", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let container = try Self.container()
        let chunks = Chunks(elements: [[UInt8](Self.csv.utf8)], waitsForever: true)
        let importing = Task {
            try await Importer(entity: "Coffee", from: .stream(name: "up.csv") { chunks }).run(into: container)
        }
        while chunks.asked.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        importing.cancel()
        let error = await #expect(throws: GranaryError.self) { try await importing.value }
        #expect(error?.code == .interrupted)
        while chunks.ended.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await Self.names(container) == [])
    }

    @Test("An import that ends early ends the task of the sequence", .timeLimit(.minutes(1)))
    func endsEarly() async throws {
        let container = try Self.container()
        let wrong = [UInt8]("unknown,price\n".utf8)
        let rows = [UInt8](String(repeating: "1,2\n", count: 1 << 16).utf8)
        let chunks = Chunks(elements: [wrong] + Array(repeating: rows, count: 1000), waitsForever: true)
        await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: .stream(name: "up.csv") { chunks }).run(into: container)
        }
        while chunks.ended.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(chunks.asked.count < 1000)
    }

    @Test("A sequence that cancels itself interrupts the import") func cancelsItself() async throws {
        let chunks = Chunks<[UInt8]>(elements: [], error: CancellationError())
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: .stream(name: "up.csv") { chunks }).run(into: Self.container())
        }
        #expect(error?.code == .interrupted)
    }

    @Test("The sequence waits for the import: two chunks are ahead at most")
    func pressure() async throws {
        let chunk = [UInt8](repeating: 0x61, count: 1 << 10)
        let chunks = Chunks(elements: Array(repeating: chunk, count: 100))
        let source = ImportSource.stream(name: "a.csv") { chunks }
        let reader = try source.makeReader()
        #expect(chunks.asked.count <= 2)
        try await Task.sleep(for: .milliseconds(50))
        #expect(chunks.asked.count <= 2)
        _ = reader
    }

    @Test("Rejected records of a stream are written to the rejects file") func rejects() async throws {
        let folder = try TemporaryFolder()
        let container = try Self.container()
        var run = ImportRunOptions()
        run.mode = .keepGood
        run.rejectsPath = folder.url.appending(path: "bad.csv").path
        let chunks = Chunks(elements: [[UInt8]("name,price\nJava,1\nBad,x\n".utf8)])
        let report = try await Importer(entity: "Coffee", from: .stream(name: "up.csv") { chunks }, run: run)
            .run(into: container)
        #expect(report.rejected == 1)
        #expect(
            try String(contentsOf: folder.url.appending(path: "bad.csv"), encoding: .utf8) == "name,price\nBad,x\n")
    }

    @Test("A stream without a format is refused") func unknown() async throws {
        let source = ImportSource.stream(name: "body") { Chunks<[UInt8]>(elements: []) }
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: source).run(into: Self.container())
        }
        #expect(error?.code == .usage)
    }
}
