import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryImport

/// The index of natural keys against a dictionary.
@Suite struct NaturalKeyIndexTests {
    private struct Known: Equatable {
        var key: Int64
        var entity: Int32
        var record: Int
        var line: Int
        var file: Int32
    }

    private static func bytes(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        Array(text.utf8).withUnsafeBufferPointer { NaturalKeyBytes.append(text: $0, to: &key) }
        return key
    }

    /// Lengths around the limits of length prefixes and of segments too.
    private static func text(_ random: inout SeededGenerator) -> String {
        let short = "\(Int.random(in: 0..<12_000, using: &random))"
        guard Int.random(in: 0..<200, using: &random) == 0 else { return short }
        let length = [0, 100, 127, 128, 16_384, 65_530, 65_536, 70_000].randomElement(using: &random) ?? 0
        return short + String(repeating: "x", count: length)
    }

    @Test func agreesWithADictionary() throws { try Self.check(seed: 0, count: 7_500) }

    static func check(seed: Int, count: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var index = NaturalKeyIndex()
        var twin: [String: Known] = [:]
        var (record, line) = (0, 1)
        for number in 0..<count {
            let text = Self.text(&random)
            // Runs of regular records, and places that do not follow from those before.
            record += number % 3000 < 2000 ? 1 : Int.random(in: 0..<3, using: &random)
            line += number % 3000 < 2500 ? 1 : Int.random(in: 0..<3, using: &random)
            let file = Int32(number / 7000)
            let isStored = number < 1000 || Int.random(in: 0..<1000, using: &random) == 0
            let new = Known(
                key: Int64(number) + 1, entity: Int32(number % 3), record: isStored ? 0 : record,
                line: isStored ? 0 : line, file: isStored ? 0 : file)
            let (place, other) = index.insert(
                Self.bytes(text), entity: new.entity, object: new.key, record: new.record, line: new.line,
                file: new.file, marksSharing: false)
            #expect((other != nil) == (twin[text] != nil))
            if twin[text] == nil { twin[text] = new }
            if Int.random(in: 0..<50, using: &random) == 0 {
                index.claim(place, record: number, line: number * 2, file: 5)
                twin[text]?.record = number
                twin[text]?.line = number * 2
                twin[text]?.file = 5
            }
        }
        #expect(index.count == twin.count)
        for (text, known) in twin {
            let entry = try #require(index.find(Self.bytes(text)))
            #expect(
                Known(key: entry.key, entity: entry.entity, record: entry.record, line: entry.line, file: entry.file)
                    == known)
        }
        for place in 0..<index.count {
            let text = try #require(NaturalKeyBytes.text(index.keyBytes(of: place)))
            #expect(index.findIndex(Self.bytes(text)) == place)
        }
        #expect(index.find(Self.bytes("no such key")) == nil)
    }

    @Test func keysOfOneHashAreComparedByTheirBytes() {
        var slots = HashSlots()
        var keys: [Int] = []
        for number in 0..<500 {
            // Two hashes only, which begin their search at the same place, and at the end of the table.
            let hash: UInt32 = number % 2 == 0 ? 0x03FF_FFFF : 0x03FF_FFFE
            #expect(slots.find(hash) { keys[$0] == number } == nil)
            slots.insert(number, hash: hash)
            keys.append(number)
        }
        for number in keys {
            #expect(slots.find(number % 2 == 0 ? 0x03FF_FFFF : 0x03FF_FFFE) { keys[$0] == number } == number)
        }
    }

    @Test func partsComeBack() {
        var batch = RowBatch()
        var cells: [StoredCell] = [Int64.min, -129, -1, 0, 63, 64, .max].map { .integer($0) }
        cells += [0.0, -0.0, Double.infinity, .leastNonzeroMagnitude].map { .real($0) }
        cells += [1, .max].map { .reference(key: $0, entity: 0) }
        for length in [0, 1, 127, 128, 20_000] {
            let start = UInt32(batch.bytes.count)
            batch.bytes.append(contentsOf: Array(repeating: UInt8(0x80), count: length))
            cells.append(.text(start: start, count: UInt32(length)))
        }
        var key: [UInt8] = []
        for cell in cells { #expect(NaturalKeyBytes.append(cell, of: batch, to: &key)) }
        #expect(!NaturalKeyBytes.append(.null, of: batch, to: &key))
        let parts = NaturalKeyBytes.parts(of: key[...])
        #expect(parts.count == cells.count)
        for (cell, part) in zip(cells, parts) {
            switch (cell, part) {
            case (.integer(let value), .integer(let other)): #expect(value == other)
            case (.real(let value), .real(let other)): #expect(value.bitPattern == other.bitPattern)
            case (.reference(let value, _), .reference(let other)): #expect(value == other)
            case (.text(_, let count), .bytes(let bytes)): #expect(bytes.count == Int(count))
            default: Issue.record("\(cell) came back as \(part)")
            }
        }
    }
}

@Suite struct NaturalKeyIndexLongTests {
    @Test(arguments: 0..<4) func agreesWithADictionary(_ seed: Int) throws {
        try NaturalKeyIndexTests.check(seed: seed, count: 15_000)
    }
}
