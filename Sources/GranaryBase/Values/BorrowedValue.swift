package import Foundation

/// One attribute value, its bytes borrowed for the length of a call.
///
/// This is what passes between parsing, validation, stores and writers: a closed enum without a heap
/// allocation, so that a field costs no `String`, `Array` or box. Buffers are valid only inside the call that
/// hands them over; whoever keeps a value copies its bytes.
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
    /// A Decimal attribute with all its digits.
    case decimal(ExactDecimal)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// UTF-8, already checked to be valid.
    case text(UnsafeBufferPointer<UInt8>)
    /// A URI's text, UTF-8.
    case uri(UnsafeBufferPointer<UInt8>)
    /// A UUID attribute: 16 bytes.
    case uuid(UUID)
    /// Binary data, and what a value transformer made.
    case binary(UnsafeBufferPointer<UInt8>)
}
