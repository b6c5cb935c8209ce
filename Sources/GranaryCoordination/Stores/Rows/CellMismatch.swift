import Foundation
package import GranaryBase
package import GranaryModel
import GranaryPredicates

/// A cell that is not a valid value of its attribute: the store contradicts the model.
package struct CellMismatch: Error {
    package let message: String
}

extension StoredCell {
    /// The value of a cell in the type of its attribute. It borrows from the bytes of the cell's batch.
    ///
    /// - Throws: ``CellMismatch`` if the cell has another type, and for a value in a file.
    @inline(__always)
    package func value(
        as type: AttributeType, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(CellMismatch) -> BorrowedValue {
        switch (type, self) {
        case (_, .null): return .null
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
            return .integer(value)
        case (.boolean, .integer(let value)):
            guard value == 0 || value == 1 else {
                throw CellMismatch(message: "\(value) is not a Boolean (0 or 1)")
            }
            return .boolean(value == 1)
        case (.double, .real(let value)): return .double(value)
        case (.double, .integer(let value)): return .double(Double(value))
        case (.float, .real(let value)): return .float(Float(value))
        case (.float, .integer(let value)): return .float(Float(value))
        case (.date, .real(let value)): return .date(value)
        case (.date, .integer(let value)): return .date(Double(value))
        case (.string, .text(let start, let count)): return .text(try Self.text(start, count, in: bytes))
        case (.uri, .text(let start, let count)): return .uri(try Self.text(start, count, in: bytes))
        case (.binary, .blob(let start, let count)), (.transformable, .blob(let start, let count)):
            return .binary(Self.span(start, count, in: bytes))
        default: return try rareValue(as: type, in: bytes)
        }
    }

    @inline(never)
    private func rareValue(
        as type: AttributeType, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(CellMismatch) -> BorrowedValue {
        switch (type, self) {
        case (.decimal, .integer(let value)): return .decimal(ExactDecimal(value))
        case (.decimal, .real(let value)):
            guard let number = ExactDecimal(shortest: value) else {
                throw CellMismatch(message: "\(value) is not a Decimal")
            }
            return .decimal(number)
        case (.decimal, .decimal(let start, let count)), (.decimal, .text(let start, let count)):
            let digits = Self.span(start, count, in: bytes)
            guard let number = try? DecimalText.parse(digits) else {
                let text = Diagnostic.shortened(String(decoding: digits, as: UTF8.self))
                throw CellMismatch(message: "\"\(text)\" is not a Decimal")
            }
            return .decimal(number)
        case (.uuid, .blob(let start, let count)):
            guard count == 16 else { throw CellMismatch(message: "\(count) bytes are not a UUID (16 bytes)") }
            let value = UnsafeRawBufferPointer(Self.span(start, count, in: bytes)).loadUnaligned(as: uuid_t.self)
            return .uuid(UUID(uuid: value))
        default:
            throw CellMismatch(message: "\(kind) is not \(type.phrase)")
        }
    }

    /// Text columns in a file may hold invalid UTF-8.
    @inline(__always)
    private static func text(
        _ start: UInt32, _ count: UInt32, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(CellMismatch) -> UnsafeBufferPointer<UInt8> {
        let text = span(start, count, in: bytes)
        if let place = UTF8Text.firstInvalid(in: text) {
            throw CellMismatch(message: "the text is not valid UTF-8 from its byte \(place) on")
        }
        return text
    }

    /// Cells are made together with the bytes they point to, so the span is inside the buffer.
    @inline(__always)
    private static func span(
        _ start: UInt32, _ count: UInt32, in bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start) &+ Int(count)])
    }

    private var kind: String {
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
