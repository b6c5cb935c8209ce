package import GranaryBase
import GranaryPropertyLists

/// Writes chosen records of property lists as a list of the same shape, each with all that it holds.
///
/// It copies the events that the reader takes, not the fields that it makes of them. So what is no record, has a key
/// twice or holds what nobody can read comes out as it went in.
package final class PropertyListRecordCopy {
    private let output: ByteOutput
    private let isDocument: Bool
    private var writer: PropertyListStreamWriter
    private var hasBegun = false
    private var entity: String?

    /// - Parameter isDocument: whether the records stand under the names of their entities. Then only one list may be
    ///   copied: a document has each entity once.
    package init(_ output: ByteOutput, encoding: PropertyListEncoding, isDocument: Bool) {
        self.output = output
        self.isDocument = isDocument
        writer = PropertyListStreamWriter(encoding == .xml ? .xml : .binary)
    }

    /// Copies the records that `isWanted` picks by their numbers, and stops behind the last.
    ///
    /// - Parameter count: how many there should be.
    /// - Returns: how many there are.
    /// - Throws: ``GranaryError`` as reading and writing throw, and for what the encoding cannot hold.
    package func copy(
        _ count: Int, of reader: PropertyListReader, where isWanted: @escaping (Int) -> Bool
    ) throws(GranaryError) -> Int {
        let tap = PropertyListRecordTap(
            isWanted: isWanted,
            begin: { (entity) throws(GranaryError) in try self.begin(entity) },
            handle: { (event) throws(GranaryError) in try self.write(event) })
        return try Self.read(count, of: reader, tap)
    }

    /// The encoding that holds the chosen records: XML, which people can mend, unless it cannot.
    ///
    /// - Throws: ``GranaryError`` as reading throws.
    package static func encoding(
        _ count: Int, of reader: PropertyListReader, where isWanted: @escaping (Int) -> Bool
    ) throws(GranaryError) -> PropertyListEncoding {
        var isXML = true
        let tap = PropertyListRecordTap(
            isWanted: isWanted,
            begin: { (entity) throws(GranaryError) in
                if let entity, !XMLPropertyListWriter.canHold(.key(entity)) { isXML = false }
            },
            handle: { (event) throws(GranaryError) in
                if isXML, !XMLPropertyListWriter.canHold(event) { isXML = false }
            })
        _ = try read(count, of: reader, tap)
        return isXML ? .xml : .binary
    }

    /// Ends the list; the output itself is finished by its owner.
    package func finish() throws(GranaryError) {
        if !hasBegun { try begin(nil) }
        if !isDocument || entity != nil { try write(.endArray) }
        if isDocument {
            try write(.endDictionary)
            try write(.endDictionary)
        }
        try writer.finish(output)
    }

    private static func read(
        _ count: Int, of reader: PropertyListReader, _ tap: PropertyListRecordTap
    ) throws(GranaryError) -> Int {
        reader.tap = tap
        // The closures hold on to what holds the reader.
        defer { reader.tap = nil }
        var record = Record()
        var found = 0
        while found < count {
            switch try reader.next(into: &record) {
            case .end: return found
            case .record, .malformed: if tap.isWanted(record.number) { found += 1 }
            }
        }
        return found
    }

    private func begin(_ name: String?) throws(GranaryError) {
        if !hasBegun {
            hasBegun = true
            if isDocument {
                try write(.beginDictionary)
                try write(.key("entities"))
                try write(.beginDictionary)
            } else {
                try write(.beginArray)
            }
        }
        guard isDocument, let name, name != entity else { return }
        if entity != nil { try write(.endArray) }
        entity = name
        try write(.key(name))
        try write(.beginArray)
    }

    private func write(_ event: PropertyListEvent) throws(GranaryError) {
        try writer.write(event, to: output)
    }
}
