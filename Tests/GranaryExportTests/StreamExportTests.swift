import Foundation
import GranaryBase
import GranaryContexts
import GranaryRecords
import GranaryCoordination

import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryExport

/// Exports into memory and into sequences of chunks.
@Suite("Exports to streams") struct StreamExportTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription("Coffee", [.attribute("name", .string), .attribute("price", .integer64)]),
        EntityDescription("Shop", [.attribute("name", .string)]),
    ])

    private static func container(coffees: Int, nameLength: Int = 100) async throws -> PersistentContainer {
        let suffix = String(repeating: "x", count: nameLength)
        let container = try PersistentContainer(model: model, store: .inMemory)
        try await container.perform { context in
            for number in 0..<coffees {
                let coffee = try context.insert(into: "Coffee")
                try coffee.setValue(.string("Coffee \(number) \(suffix)"), forKey: "name")
                try coffee.setValue(.integer(Int64(number)), forKey: "price")
            }
            try context.save()
        }
        return container
    }

    private static func file(_ container: PersistentContainer, _ name: String, _ options: ExportOptions) async throws
        -> Data
    {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: name)
        try await Exporter(options: options).run(container, to: .file(url))
        return try Data(contentsOf: url)
    }

    @Test(
        "Data and chunks have the bytes of a file", arguments: [DataFormat.json, .csv, .ndjson, .plist], [0, 3, 2000])
    func bytes(_ format: DataFormat, coffees: Int) async throws {
        let container = try await Self.container(coffees: coffees)
        var options = ExportOptions()
        if !format.holdsSeveralEntities { options.entities = ["Coffee"] }
        let expected = try await Self.file(container, "out." + format.rawValue, options)
        let exporter = Exporter(options: options)
        #expect(try await exporter.data(container, format: format) == expected)
        let chunks = exporter.chunks(container, format: format)
        #expect(chunks.report == nil)
        for _ in 0..<2 {
            var all = Data()
            for try await chunk in chunks {
                #expect(!chunk.isEmpty)
                all.append(chunk)
            }
            #expect(all == expected)
        }
        #expect(chunks.report?.objects == coffees)
    }

    @Test("Compressed data is an import's input") func compressed() async throws {
        let container = try await Self.container(coffees: 1000)
        let data = try await Exporter().data(container, format: .json, compressing: true)
        #expect(data.prefix(2) == Data([0x1F, 0x8B]))
        let copy = try PersistentContainer(model: Self.model, store: .inMemory)
        let report = try await Importer(entity: nil, from: .bytes(data, name: "a.json.gz")).run(into: copy)
        #expect(report.created == 1000)
    }

    @Test("An export streams into an import") func pipe() async throws {
        let container = try await Self.container(coffees: 1000)
        let copy = try PersistentContainer(model: Self.model, store: .inMemory)
        let source = ImportSource.stream(name: "copy.json") { Exporter().chunks(container, format: .json) }
        let report = try await Importer(entity: nil, from: source).run(into: copy)
        #expect(report.created == 1000)
    }

    @Test("A slow reader leaves the store free, and gets all bytes", .timeLimit(.minutes(1)))
    func slow() async throws {
        let container = try await Self.container(coffees: 300, nameLength: 10_000)
        let expected = try await Exporter().data(container, format: .json)
        var all = Data()
        for try await chunk in Exporter().chunks(container, format: .json) {
            if all.isEmpty {
                // The export ends without its reader.
                try await container.perform { context in
                    try context.insert(into: "Shop").setValue(.string("new"), forKey: "name")
                    try context.save()
                }
            }
            all.append(chunk)
        }
        #expect(expected.count > 1 << 20 && all == expected)
    }

    @Test("Chunks beyond the limit wait in a temporary file, in order") func queue() async throws {
        let queue = ChunkQueue(limit: 10)
        func put(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try queue.put($0) } }
        try put([1, 2, 3])
        try put([4, 5, 6, 7, 8, 9, 10, 11])
        try put([12])
        #expect(try await queue.next() == Data([1, 2, 3]))
        try put([13])
        #expect(try await queue.next() == Data([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]))
        try put([14])
        let big = [UInt8](repeating: 1, count: 200_000)
        try put(big)
        #expect(try await queue.next() == Data([14]))
        var rest = 0
        while rest < big.count { rest += try #require(try await queue.next()).count }
        #expect(rest == big.count)
        queue.finish(.success(()))
        #expect(try await queue.next() == nil)
        queue.close()
        #expect(throws: GranaryError.self) { try put([1]) }
    }

    @Test("An error ends the sequence") func failing() async throws {
        let container = try await Self.container(coffees: 1)
        var options = ExportOptions()
        options.entities = ["Nothing"]
        let exporter = Exporter(options: options)
        await #expect(throws: GranaryError.self) { try await exporter.data(container, format: .json) }
        await #expect(throws: GranaryError.self) {
            for try await _ in exporter.chunks(container, format: .json) {}
        }
        // Two entities are not one CSV file.
        await #expect(throws: GranaryError.self) { try await Exporter().data(container, format: .csv) }
    }

    @Test("Leaving the loop and cancelling the task end the export", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let container = try await Self.container(coffees: 300, nameLength: 10_000)
        let chunks = Exporter().chunks(container, format: .json)
        for try await _ in chunks { break }
        let reading = Task {
            for try await _ in chunks { try await Task.sleep(for: .seconds(600)) }
        }
        reading.cancel()
        await #expect(throws: (any Error).self) { try await reading.value }
        // The store is free.
        #expect(try await container.perform { try $0.fetchAll("Coffee").count } == 300)
    }
}
