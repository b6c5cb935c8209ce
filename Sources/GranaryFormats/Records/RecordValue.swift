public import Foundation
public import GranaryBase

/// A value of a record.
public enum RecordValue: Sendable, Hashable {
    /// NULL.
    case null
    /// Text. It is never NULL, not even if it is empty.
    case text(String)
    /// Text that is NULL if it is one of `ImportOptions.nullTexts`, like an unquoted CSV field. Only for readers.
    case bareText(String)
    /// A number in decimal digits, exactly as in the source. Only for readers.
    case number(String)
    /// True or false.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A 32-bit floating-point number.
    case float(Float)
    /// A 64-bit floating-point number.
    case double(Double)
    /// A decimal number with all its digits.
    case decimal(ExactDecimal)
    /// A point in time.
    case date(Date)
    /// A URI's text.
    case uri(String)
    /// A UUID.
    case uuid(UUID)
    /// Binary data.
    case binary(Data)
}

extension RecordValue {
    /// Copies a borrowed value.
    package init(_ value: BorrowedValue) {
        func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .float(let number): self = .float(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal(number)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let bytes): self = .text(text(bytes))
        case .uri(let bytes): self = .uri(text(bytes))
        case .uuid(let uuid): self = .uuid(uuid)
        case .binary(let bytes): self = .binary(Data(bytes))
        }
    }
}
