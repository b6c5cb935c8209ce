import GranaryBase
import GranaryFormats

/// Writes rejected records of JSON unchanged, each on its line.
final class JSONRejectsWriter: RereadingRejectsWriter {
    enum Shape {
        case array
        case lines
        /// `{"entities": {NAME: [object, …], …}}`
        case document
        /// A document with records in several places.
        case places([RecordPlace])
    }

    private let text: RejectsText
    private let shape: Shape
    private var isEmpty = true
    /// The entity of the current array in a document; -1 before the first.
    private var entity: Int32 = -1
    /// What is around the records of places.
    private var frame = PlaceFrame()
    private var visited: Set<Int> = []
    /// For each open object and array around them, whether it is empty so far.
    private var areEmpty: [Bool] = []
    /// Whether a value follows its name.
    private var isNamed = false

    init(_ output: ByteOutput, shape: Shape, hasMark: Bool, encoding: TextEncoding) {
        text = RejectsText(output, hasMark: hasMark, encoding: encoding)
        self.shape = shape
    }

    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int {
        try records.forEach(in: reader) { (record, _) throws(GranaryError) in
            switch shape {
            case .lines:
                // A line beyond the maximum size of a record was not kept.
                guard !record.raw.isEmpty else { return }
                text.append(record: record.raw)
                text.append("\n")
            case .array:
                text.append(isEmpty ? "[\n" : ",\n")
                text.append(record.raw)
            case .document:
                begin(record, of: reader)
                text.append(record.raw)
            case .places:
                guard let reader = reader as? JSONReader else { break }
                let visits = reader.visits
                for visit in visits.dropLast() where !visited.contains(visit.place) { move(to: visit.withoutRecords) }
                if let last = visits.last, !visited.contains(last.place) { move(to: last) }
                if let name = reader.recordName { append(.name(name)) }
                separate()
                text.append(record.raw)
            }
            isEmpty = false
            try text.flushIfFull()
        }
    }

    func prepare() throws(GranaryError) {
        switch shape {
        case .lines: break
        case .array: text.append(isEmpty ? "[]\n" : "\n]\n")
        case .document: text.append(isEmpty ? "{\"entities\": {}}\n" : "\n]}}\n")
        case .places(let places):
            while let visit = frame.next(of: places, besides: visited) { move(to: visit) }
            for part in frame.finish() { append(part) }
            text.append("\n")
        }
        try text.prepare()
    }

    private func begin(_ record: Record, of reader: any RecordReader) {
        guard record.entity != entity else { return text.append(",\n") }
        text.append(isEmpty ? "{\"entities\": {" : "\n],\n")
        entity = record.entity
        var name: [UInt8] = []
        let index = Int(entity)
        JSONText.append(reader.entities.indices.contains(index) ? reader.entities[index] : "", to: &name)
        text.append(name)
        text.append(": [\n")
    }

    // MARK: Places

    private func move(to visit: PlaceVisit) {
        visited.insert(visit.place)
        for part in frame.move(to: visit) { append(part) }
    }

    /// Appends the comma and the line end before a value or a name.
    private func separate() {
        guard !isNamed else { return isNamed = false }
        guard let last = areEmpty.indices.last else { return }
        text.append(areEmpty[last] ? "\n" : ",\n")
        areEmpty[last] = false
    }

    private func append(_ part: PlaceFrame.Part) {
        switch part {
        case .beginObject, .beginArray:
            separate()
            text.append(part == .beginObject ? "{" : "[")
            areEmpty.append(true)
        case .endObject, .endArray:
            _ = areEmpty.popLast()
            text.append(part == .endObject ? "}" : "]")
        case .name(let name):
            separate()
            var bytes: [UInt8] = []
            JSONText.append(name, to: &bytes)
            text.append(bytes + Array(": ".utf8))
            isNamed = true
        case .filler:
            separate()
            text.append("null")
        }
    }
}
