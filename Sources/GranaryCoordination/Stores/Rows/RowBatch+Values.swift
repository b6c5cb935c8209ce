import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPredicates

extension RowBatch {
    /// Passes the value of an attribute to `body`; the reverse of ``set(_:row:slot:)``.
    ///
    /// - Throws: ``CellMismatch`` if the cell has the wrong type; any error from `body`.
    package func withValue<Result>(
        row: Int, of attribute: Schema.Attribute, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        try withValue(row: row, slot: attribute.slot, as: attribute.type, body)
    }

    private func withValue<Result>(
        row: Int, slot: Int, as type: AttributeType, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        let cell = self[row, slot]
        if case .file(let start, let count) = cell, type == .binary || type == .transformable {
            let bytes = try ByteSource(path: text(start, count)).readAll(limit: RowBatch.fileLimit)
            return try bytes.withUnsafeBufferPointer { try body(.binary($0)) }
        }
        return try bytes.withUnsafeBufferPointer { try body(cell.value(as: type, in: $0)) }
    }

    /// The path of the external file with a cell's value; nil if the value is in the cell.
    package func externalFile(row: Int, slot: Int) -> String? {
        guard case .file(let start, let count) = self[row, slot] else { return nil }
        return text(start, count)
    }

    private func text(_ start: UInt32, _ count: UInt32) -> String {
        lend(start, count) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a copy of an attribute's value; nil for NULL.
    package func value(row: Int, of attribute: Schema.Attribute) throws -> AttributeValue? {
        try value(row: row, slot: attribute.slot, as: attribute.type)
    }

    /// Returns a copy of the value of an attribute with a slot and a type; nil for NULL.
    package func value(row: Int, slot: Int, as type: AttributeType) throws -> AttributeValue? {
        try withValue(row: row, slot: slot, as: type) { AttributeValue($0) }
    }

    /// Passes a span of the batch's bytes to `body`.
    package func lend<Result>(
        _ start: UInt32, _ count: UInt32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { buffer in
            // Cells are made together with the bytes they point to, so the span is inside the buffer.
            try body(UnsafeBufferPointer(rebasing: buffer[Int(start)..<Int(start) + Int(count)]))
        }
    }
}
