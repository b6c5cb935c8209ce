package import GranaryBase

/// One step of reading or writing a property list from its start to its end.
///
/// Both readers give this vocabulary and both writers take it. A dictionary is `beginDictionary`, then for each
/// entry a `key` and its value, then `endDictionary`.
package enum PropertyListEvent: Sendable, Equatable {
    case beginArray
    case endArray
    case beginDictionary
    case endDictionary
    case key(String)
    case string(String)
    case integer(Int64)
    /// Only what an `Int64` cannot hold.
    case unsigned(UInt64)
    /// - Parameter digits: the number as an XML list has it, where the double is another; nil where it is the same.
    case real(Double, digits: [UInt8]? = nil)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    /// A reference of a keyed archive. An XML list spells it as a dictionary, and its events are that dictionary's.
    case uid(UInt64)
}

/// Takes the events of a reader. What it throws ends the reading at once and is thrown on.
package typealias PropertyListHandler = (PropertyListEvent, PropertyListPlace) throws(GranaryError) -> Void

/// Where in its file an event stands.
///
/// In an XML list: just behind the start tag, the column in characters, as libxml2 counts. In a binary list: the
/// object's first byte, the file taken as one line.
package struct PropertyListPlace: Sendable, Equatable {
    package var line: Int
    package var column: Int
    package var byteOffset: Int?

    package init(line: Int, column: Int, byteOffset: Int? = nil) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    init(byteOffset: Int) {
        self.init(line: 1, column: byteOffset + 1, byteOffset: byteOffset)
    }

    package func position(in file: String, record: Int? = nil) -> SourcePosition {
        SourcePosition(file: file, line: line, column: column, byteOffset: byteOffset, record: record)
    }
}
