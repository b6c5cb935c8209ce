import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing
@testable import GranaryImport

/// Rows that wait come back as they were, from memory and from the temporary file.
@Suite struct RowSpoolTests {
    private static func batch(_ seed: Int) -> ParsedRows {
        var random = SeededGenerator(seed: UInt64(seed))
        var batch = ParsedRows()
        batch.job = seed
        for row in 0..<Int.random(in: 1...40, using: &random) {
            let slots = Int.random(in: 1...70, using: &random)
            batch.rows.appendRow(entity: seed % 5, key: Int64(row + 1), version: 1, slotCount: slots)
            for slot in 0..<slots {
                let text = Array(repeating: UInt8(slot), count: Int.random(in: 0...9, using: &random))
                text.withUnsafeBufferPointer { batch.rows.set(.text($0), row: row, slot: slot) }
                if slot % 3 == 0 { batch.rows[row, slot] = .reference(key: Int64(row) << 40, entity: 3) }
                if slot % 5 == 0 { batch.rows[row, slot] = .real(Double(slot) / 3) }
            }
            let place = RecordLocation(file: 1, line: row, column: 2, byteOffset: 3, record: row + 1)
            batch.origins.append(ParsedRows.Origin(place: place, isRecord: row % 2 == 0))
            guard row % 3 == 0 else { continue }
            var filled = SlotMask(slotCount: slots)
            for slot in 0..<slots where slot % 2 == 0 { filled.insert(slot) }
            batch.addMerge(replaces: row % 2 == 0, isShared: false, hasLists: true, filled: filled)
        }
        return batch
    }

    @Test(arguments: [0, 5000, 1 << 30])
    func `Batches come back in order`(_ limit: Int) throws {
        let folder = try TemporaryFolder()
        let spool = RowSpool(folder: folder.url.path, memoryLimit: limit)
        #expect(spool.isEmpty)
        for seed in 0..<60 { try spool.append(Self.batch(seed)) }
        for _ in 0..<2 {
            var seed = 0
            try spool.forEach { batch in
                let expected = Self.batch(seed)
                #expect(batch.job == seed && batch.rows.rows.map(\.key) == expected.rows.rows.map(\.key))
                #expect(batch.rows.cells == expected.rows.cells && batch.rows.bytes == expected.rows.bytes)
                #expect(batch.origins.map(\.place.line) == expected.origins.map(\.place.line))
                #expect(batch.origins.map(\.merge) == expected.origins.map(\.merge) && batch.masks == expected.masks)
                #expect(batch.merges.map(\.mask) == expected.merges.map(\.mask))
                seed += 1
            }
            #expect(seed == 60)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [], "the file has no name")
    }
}
