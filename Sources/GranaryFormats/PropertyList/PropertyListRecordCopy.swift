package import GranaryBase
import GranaryPropertyLists

/// Copies selected records of property lists to a list of the same shape.
///
/// It copies the reader's events, not the fields of its records, so malformed records are copied unchanged.
package final class PropertyListRecordCopy {
    private let output: ByteOutput
    private let isDocument: Bool
    private var writer: PropertyListStreamWriter
    private var hasBegun = false
    private var entity: String?

    /// - Parameter isDocument: whether the records are grouped by entity. Then only one list may be copied, because a
    ///   document has each entity once.
    package init(_ output: ByteOutput, encoding: PropertyListEncoding, isDocument: Bool) {
        self.output = output
        self.isDocument = isDocument
        writer = PropertyListStreamWriter(encoding == .xml ? .xml : .binary)
    }

    /// Copies the records that `isWanted` selects by their numbers, and stops after the last one.
    ///
    /// - Parameter count: the number of selected records.
    /// - Returns: the number of copied records.
    /// - Throws: ``GranaryError`` as reading and writing throw, and for values that the encoding cannot contain.
    package func copy(
        _ count: Int, of reader: PropertyListReader, where isWanted: @escaping (Int) -> Bool
    ) throws(GranaryError) -> Int {
        let tap = PropertyListRecordTap(
            isWanted: isWanted,
            begin: { (entity) throws(GranaryError) in try self.begin(entity) },
            handle: { (event) throws(GranaryError) in try self.write(event) })
        return try Self.read(count, of: reader, tap)
    }

    /// The encoding for the selected records: XML, which people can edit, unless XML cannot contain them.
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

    /// Ends the list. The caller finishes the output.
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
        // The closures retain the object that retains the reader.
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
