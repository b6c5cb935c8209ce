import Foundation
package import GranaryBase
package import GranaryModel

/// A cell that is not a valid value of its attribute: the store contradicts the model.
package struct CellMismatch: Error {
    package let message: String
}

extension RowBatch {
    /// Passes the value of an attribute to `body`; the reverse of ``set(_:row:slot:)``.
    ///
    /// - Throws: ``CellMismatch`` if the cell has the wrong type; any error from `body`.
    package func withValue<Result>(
        row: Int, of attribute: Schema.Attribute, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        let cell = self[row, attribute.slot]
        switch (attribute.type, cell) {
        case (_, .null): return try body(.null)
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
            return try body(.integer(value))
        case (.boolean, .integer(let value)):
            guard value == 0 || value == 1 else {
                throw CellMismatch(message: "\(value) is not a Boolean (0 or 1)")
            }
            return try body(.boolean(value == 1))
        case (.double, .real(let value)): return try body(.double(value))
        case (.double, .integer(let value)): return try body(.double(Double(value)))
        case (.float, .real(let value)): return try body(.float(Float(value)))
        case (.float, .integer(let value)): return try body(.float(Float(value)))
        case (.date, .real(let value)): return try body(.date(value))
        case (.date, .integer(let value)): return try body(.date(Double(value)))
        case (.decimal, .integer(let value)): return try body(.decimal(ExactDecimal(value)))
        case (.decimal, .real(let value)):
            guard let number = ExactDecimal(shortest: value) else {
                throw CellMismatch(message: "\(value) is not a Decimal")
            }
            return try body(.decimal(number))
        case (.decimal, .decimal(let start, let count)), (.decimal, .text(let start, let count)):
            return try lend(start, count) { bytes in
                guard let number = try? DecimalText.parse(bytes) else {
                    let text = Diagnostic.shortened(String(decoding: bytes, as: UTF8.self))
                    throw CellMismatch(message: "\"\(text)\" is not a Decimal")
                }
                return try body(.decimal(number))
            }
        case (.string, .text(let start, let count)): return try lendText(start, count) { try body(.text($0)) }
        case (.uri, .text(let start, let count)): return try lendText(start, count) { try body(.uri($0)) }
        case (.binary, .blob(let start, let count)), (.transformable, .blob(let start, let count)):
            return try lend(start, count) { try body(.binary($0)) }
        case (.binary, .file(let start, let count)), (.transformable, .file(let start, let count)):
            let bytes = try ByteSource(path: text(start, count)).readAll(limit: RowBatch.fileLimit)
            return try bytes.withUnsafeBufferPointer { try body(.binary($0)) }
        case (.uuid, .blob(let start, let count)):
            return try lend(start, count) { bytes in
                guard bytes.count == 16 else {
                    throw CellMismatch(message: "\(bytes.count) bytes are not a UUID (16 bytes)")
                }
                var value = UUID().uuid
                withUnsafeMutableBytes(of: &value) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
                return try body(.uuid(UUID(uuid: value)))
            }
        default:
            throw CellMismatch(message: "\(cell.kind) is not \(attribute.type.phrase)")
        }
    }

    /// Text columns in a file may hold invalid UTF-8.
    private func lendText<Result>(
        _ start: UInt32, _ count: UInt32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result {
        try lend(start, count) { bytes in
            if let place = UTF8Text.firstInvalid(in: bytes) {
                throw CellMismatch(message: "the text is not valid UTF-8 from its byte \(place) on")
            }
            return try body(bytes)
        }
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
        try withValue(row: row, of: attribute) { AttributeValue($0) }
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

extension StoredCell {
    fileprivate var kind: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "the integer \(value)"
        case .real(let value): "the number \(value)"
        case .text: "text"
        case .blob, .file: "binary data"
        case .decimal: "a Decimal"
        case .reference: "a reference"
        }
    }
}
