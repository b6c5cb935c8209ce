package import GranaryBase
import GranaryPropertyLists

/// Copies selected records of property lists to a list of the same shape.
///
/// It copies the reader's events, not the fields of its records, so malformed records are copied unchanged.
package final class PropertyListRecordCopy {
    private let output: ByteOutput
    private let isDocument: Bool
    /// The places of records in the list; empty if there are none.
    private let places: [RecordPlace]
    private var frame = PlaceFrame()
    /// The places that were written.
    private var visited: Set<Int> = []
    private var writer: PropertyListStreamWriter
    private var hasBegun = false
    private var entity: String?

    /// - Parameters:
    ///   - isDocument: whether the records are grouped by entity. Then only one list may be copied, because a document
    ///     has each entity once.
    ///   - places: the reader's places. Then only one list may be copied, too.
    package init(
        _ output: ByteOutput, encoding: PropertyListEncoding, isDocument: Bool, places: [RecordPlace] = []
    ) {
        self.output = output
        self.isDocument = isDocument
        self.places = places
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
            begin: { (place) throws(GranaryError) in try self.begin(place) },
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
            begin: { (place) throws(GranaryError) in
                for key in [place.entity, place.name].compactMap(\.self) + place.visits.flatMap(\.memberNames)
                where !XMLPropertyListWriter.canHold(.key(key)) { isXML = false }
            },
            handle: { (event) throws(GranaryError) in
                if isXML, !XMLPropertyListWriter.canHold(event) { isXML = false }
            })
        _ = try read(count, of: reader, tap)
        return isXML ? .xml : .binary
    }

    /// Ends the list. The caller finishes the output.
    package func finish() throws(GranaryError) {
        if !places.isEmpty {
            while let visit = frame.next(of: places, besides: visited) { try move(to: visit) }
            try write(frame.finish())
            return try writer.finish(output)
        }
        if !hasBegun { try begin(PropertyListRecordTap.Place()) }
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

    private func begin(_ place: PropertyListRecordTap.Place) throws(GranaryError) {
        guard places.isEmpty else {
            for visit in place.visits.dropLast() where !visited.contains(visit.place) {
                try move(to: visit.withoutRecords)
            }
            if let last = place.visits.last, !visited.contains(last.place) { try move(to: last) }
            if let name = place.name { try write(.key(name)) }
            return
        }
        let name = place.entity
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

    private func move(to visit: PlaceVisit) throws(GranaryError) {
        visited.insert(visit.place)
        try write(frame.move(to: visit))
    }

    private func write(_ parts: [PlaceFrame.Part]) throws(GranaryError) {
        for part in parts {
            switch part {
            case .beginObject: try write(.beginDictionary)
            case .endObject: try write(.endDictionary)
            case .beginArray: try write(.beginArray)
            case .endArray: try write(.endArray)
            case .name(let name): try write(.key(name))
            // A list has no NULL.
            case .filler: try write(.string(""))
            }
        }
    }

    private func write(_ event: PropertyListEvent) throws(GranaryError) {
        try writer.write(event, to: output)
    }
}
