import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: hostile input")
struct CSVHostileTests {
    @Test func refusesAFolderAndAMissingFile() throws {
        let folder = try TemporaryFolder()
        for path in [folder.url.path, folder.url.appending(path: "none.csv").path] {
            let error = #expect(throws: GranaryError.self) { _ = try CSVReader(ByteSource(path: path)) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test func refusesAMillionColumns() throws {
        let reading = try Reading.csv([UInt8](repeating: 0x2C, count: 1_000_000))
        #expect(reading.outcomes == [.thrown(code: "limit.exceeded", line: 1, column: 10_001, offset: 10_000)])
    }

    /// A quote that opens a field of many megabytes stops the reader at the limit, not at the file's end.
    @Test func stopsInAnEnormousField() throws {
        for opening in ["a\n\"", "a\n"] {
            let text = Array(opening.utf8) + [UInt8](repeating: 0x78, count: 20 << 20)
            let source = ByteSource(bytes: text, name: "t.csv")
            let reader = try CSVReader(source)
            var record = Record()
            let error = #expect(throws: GranaryError.self) { _ = try reader.next(into: &record) }
            #expect(error?.diagnostics.first?.code == .limitExceeded)
            #expect(error?.diagnostics.first?.position?.byteOffset == 2)
            // What is behind the limit was not even asked for.
            #expect(try source.readAll(limit: .max).count > 3 << 20)
        }
    }

    @Test func stopsInABrokenLineWithoutAnEnd() throws {
        let text = Array("a\nx\"".utf8) + [UInt8](repeating: 0x78, count: 3 << 20)
        let options = CSVReader.Options().with { $0.maximumRecordBytes = 1 << 20 }
        let reading = try Reading.csv(text, options)
        #expect(reading.outcomes == [.thrown(code: "limit.exceeded", line: 2, column: 1, offset: 2)])
    }

    @Test func readsALongField() throws {
        let long = [UInt8](repeating: 0x78, count: 3 << 20)
        let reading = try Reading.csv(Array("a\n\"".utf8) + long + Array("\"\nb\n".utf8), chunkBytes: 1000)
        #expect(reading.outcomes.count == 2)
        #expect(reading.records.first?.first?.utf8.count == long.count + 2)
        #expect(reading.records.last == ["b"])
    }

    @Test func boundsLeadingBlankLines() throws {
        let text = [UInt8](repeating: 0x0A, count: 1_000_000)
        let reading = try Reading.csv(text, .headerless(["a", "b"]))
        #expect(reading.outcomes.isEmpty)
        #expect(reading.skippedBlankLines == 1_000_000)
        // Without names they would have to be kept until a record tells the number of columns.
        let unnamed = try Reading.csv(text, .headerless())
        #expect(unnamed.outcomes == [.thrown(code: "limit.exceeded", line: 1, column: 1, offset: 0)])
    }

    /// Any bytes at all end in outcomes, never in a trap.
    @Test func survivesAnyBytes() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<500 {
            let count = Int.random(in: 0..<200, using: &generator)
            let text = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let whole = try Reading.csv(text, .headerless())
            #expect(try Reading.csv(text, .headerless(), chunkBytes: 3) == whole)
        }
    }
}
