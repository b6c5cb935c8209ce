import GranaryBase

/// One event of reading or writing a property list in sequence.
///
/// Both readers produce these events and both writers accept them. A dictionary is `beginDictionary`, for each entry a
/// `key` and its value, and `endDictionary`.
package enum PropertyListEvent: Sendable, Equatable {
    case beginArray
    case endArray
    case beginDictionary
    case endDictionary
    case key(String)
    case string(String)
    case integer(Int64)
    /// Only numbers that an `Int64` cannot hold.
    case unsigned(UInt64)
    /// - Parameter digits: the digits in an XML list if the double is not the same number; otherwise nil.
    case real(Double, digits: [UInt8]? = nil)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    /// A reference of a keyed archive. In an XML list it is a dictionary, with the events of a dictionary.
    case uid(UInt64)

    /// The value of an event that is a value without members; nil for other events.
    var scalar: PropertyListValue? {
        switch self {
        case .beginArray, .endArray, .beginDictionary, .endDictionary, .key: nil
        case .string(let value): .string(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let value, _): .real(value)
        case .boolean(let value): .boolean(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .uid(let value): .uid(value)
        }
    }
}
