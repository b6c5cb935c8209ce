public import Foundation

/// One attribute value, its bytes borrowed for the length of a call.
///
/// This is what passes between parsing, validation, stores and writers: a closed enum without a heap
/// allocation, so that a field costs no `String`, `Array` or box. Buffers are valid only inside the call that
/// hands them over; whoever keeps a value copies its bytes.
public enum BorrowedValue {
    case null
    case boolean(Bool)
    /// Integer 16, 32 and 64.
    case integer(Int64)
    case float(Float)
    case double(Double)
    case decimal(ExactDecimal)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// UTF-8, already checked to be valid.
    case text(UnsafeBufferPointer<UInt8>)
    /// A URI's text, UTF-8.
    case uri(UnsafeBufferPointer<UInt8>)
    case uuid(UUID)
    /// Binary data, and what a value transformer made.
    case binary(UnsafeBufferPointer<UInt8>)
}
