package import Foundation

/// One attribute value, with bytes borrowed for the duration of a call.
///
/// Parsers, validation, stores and writers exchange values in this form. It needs no heap allocation: no `String`,
/// `Array` or box for a field. Buffers are valid only during the call; code that keeps a value copies its bytes.
package enum BorrowedValue {
    /// NULL: no value.
    case null
    /// A Boolean attribute.
    case boolean(Bool)
    /// Integer 16, 32 and 64.
    case integer(Int64)
    /// A Float attribute: 32 bits.
    case float(Float)
    /// A Double attribute: 64 bits.
    case double(Double)
    /// A Decimal attribute, exact.
    case decimal(ExactDecimal)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// Valid UTF-8.
    case text(UnsafeBufferPointer<UInt8>)
    /// The text of a URI, valid UTF-8.
    case uri(UnsafeBufferPointer<UInt8>)
    /// A UUID attribute: 16 bytes.
    case uuid(UUID)
    /// Binary data, or the output of a value transformer.
    case binary(UnsafeBufferPointer<UInt8>)
}
