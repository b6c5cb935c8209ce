package import GranaryBase

/// A small property list in memory, such as metadata or version information.
///
/// Documents of any size are read and written as ``PropertyListEvent``s. Readers build trees of at most
/// ``PropertyListLimits/depth`` levels: Swift frees nested values recursively, so freeing a deep tree would overflow
/// the stack.
package enum PropertyListValue: Sendable {
    case string(String)
    case integer(Int64)
    /// Only numbers that an `Int64` cannot hold.
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    case array([PropertyListValue])
    /// The entries in the order of the file. A key can occur several times.
    case dictionary([PropertyListEntry])
    /// A reference of a keyed archive.
    case uid(UInt64)
}

extension PropertyListValue: Equatable {
    /// Whether both are written as the same bytes: compares text by its UTF-8, and numbers by their bits.
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        case (.boolean(let a), .boolean(let b)): a == b
        case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.data(let a), .data(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.uid(let a), .uid(let b)): a == b
        default: false
        }
    }
}

extension PropertyListValue {
    /// The value under a key; nil if there is none or the value is not a dictionary. If a key occurs several times, the
    /// last value is used, as in Foundation.
    package subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    package var array: [PropertyListValue]? { if case .array(let value) = self { value } else { nil } }
    package var dictionary: [PropertyListEntry]? { if case .dictionary(let value) = self { value } else { nil } }
}

extension PropertyListValue {
    /// Calls `handle` for each event of the tree, without recursion.
    package func forEachEvent(_ handle: (PropertyListEvent) throws(GranaryError) -> Void) throws(GranaryError) {
        enum Step {
            case value(PropertyListValue)
            case event(PropertyListEvent)
        }
        var steps = [Step.value(self)]
        while let step = steps.popLast() {
            switch step {
            case .event(let event): try handle(event)
            case .value(.array(let values)):
                try handle(.beginArray)
                steps.append(.event(.endArray))
                steps.append(contentsOf: values.reversed().map(Step.value))
            case .value(.dictionary(let entries)):
                try handle(.beginDictionary)
                steps.append(.event(.endDictionary))
                for entry in entries.reversed() {
                    steps.append(.value(entry.value))
                    steps.append(.event(.key(entry.key)))
                }
            case .value(.string(let value)): try handle(.string(value))
            case .value(.integer(let value)): try handle(.integer(value))
            case .value(.unsigned(let value)): try handle(.unsigned(value))
            case .value(.real(let value)): try handle(.real(value))
            case .value(.boolean(let value)): try handle(.boolean(value))
            case .value(.date(let value)): try handle(.date(value))
            case .value(.data(let value)): try handle(.data(value))
            case .value(.uid(let value)): try handle(.uid(value))
            }
        }
    }
}
