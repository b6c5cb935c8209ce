import Foundation
import GranaryBase
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryInspection

/// Rows that are encoded before they are inserted are stored unchanged, even if the batch changes in between.
@Suite struct RowEncoderTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Note",
            [
                .attribute("number", .integer64), .attribute("text", .string), .attribute("amount", .double),
                .toOne("next", "Note", inverse: nil),
            ])
    ])

    private static func batch(_ schema: Schema) throws -> RowBatch {
        let entity = try #require(schema.entity(named: "Note"))
        var batch = RowBatch()
        for row in 0..<6 {
            batch.appendRow(entity: entity.index, key: Int64(row + 1), version: 1, slotCount: entity.slotCount)
            for attribute in entity.attributes {
                switch attribute.name {
                case "number": batch.set(.integer(Int64(row)), row: row, slot: attribute.slot)
                case "amount": batch.set(row == 2 ? .null : .double(Double(row) / 4), row: row, slot: attribute.slot)
                default:
                    "text \(row)".utf8CString.withUnsafeBufferPointer { text in
                        text.withMemoryRebound(to: UInt8.self) {
                            batch.set(
                                .text(UnsafeBufferPointer(rebasing: $0.dropLast())), row: row, slot: attribute.slot)
                        }
                    }
                }
            }
        }
        return batch
    }

    private static func stored(
        _ change: (inout RowBatch, Schema.Entity) -> Void, isEncoded: Bool
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let schema = try model.resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema)
        let entity = try #require(schema.entity(named: "Note"))
        try store.transaction { writer in
            try writer.chooseLoader(nil)
            var batch = try batch(schema)
            if isEncoded {
                let encoder = try #require(writer.bulk?.rowEncoder)
                encoder.encode(&batch)
                #expect(batch.rows.map(\.encoded) == [0, 1, 2, 3, 4, 5])
            }
            change(&batch, entity)
            try writer.insert(batch)
            #expect(writer.bulk?.usedLoaders == [.pages])
            try writer.bulk?.finishRows()
        }
        var rows: [String] = []
        try store.read(entities: entity.family, batchSize: 100) { batch in
            for row in batch.rows.indices {
                let cells = entity.attributes.map { attribute -> String in
                    guard case .text(let start, let count) = batch[row, attribute.slot] else {
                        return "\(batch[row, attribute.slot])"
                    }
                    return batch.lend(start, count) { String(decoding: $0, as: UTF8.self) }
                }
                rows.append("\(batch.rows[row].key) \(cells.joined(separator: "|"))")
            }
            return true
        }
        return rows
    }

    @Test func changesOfABatchArrive() throws {
        let changes: [(inout RowBatch, Schema.Entity) -> Void] = [
            { _, _ in },
            { batch, entity in batch[1, entity.attributes[0].slot] = .null },
            { batch, _ in batch.rows.remove(at: 2) },
            { batch, _ in for row in batch.rows.indices { batch.rows[row].key += 10 } },
            { batch, entity in
                batch.removeLastRow()
                batch.appendRow(entity: entity.index, key: 9, version: 1, slotCount: entity.slotCount)
            },
            { batch, _ in
                var other = RowBatch()
                other.bytes = batch.bytes
                other.append(1..<4, of: batch, bytesAt: 0)
                batch = other
            },
        ]
        for (number, change) in changes.enumerated() {
            let plain = try Self.stored(change, isEncoded: false)
            #expect(plain.count >= 3)
            #expect(try Self.stored(change, isEncoded: true) == plain, "\(number)")
        }
    }

    /// Reused memory contains nothing of earlier rows.
    @Test func aBatchIsEncodedAgain() throws {
        let schema = try Self.model.resolved()
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let encoder = RecordEncoder(
            try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema))
        var batch = try Self.batch(schema)
        encoder.encode(&batch)
        let kept = batch
        batch.removeAll()
        #expect(batch.encoded == nil && (kept.encoded as? EncodedRecords)?.records.count == 6)
        batch = try Self.batch(schema)
        encoder.encode(&batch)
        batch.removeAll()
        #expect((batch.encoded as? EncodedRecords)?.records.count == 0)
    }
}
