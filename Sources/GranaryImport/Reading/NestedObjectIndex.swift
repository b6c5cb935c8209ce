import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The nested objects of an import by natural key. Nested objects with equal keys and values are one object.
struct NestedObjectIndex {
    struct Key: Hashable {
        let entity: Int
        let bytes: [UInt8]
    }

    struct KnownObject {
        let id: RowID
        /// A digest of the object's values, including those of objects nested in it.
        let digest: [UInt8]
        let place: RecordLocation
        /// The texts of the attributes by slot, for messages; empty for objects after the first
        /// ``NestedObjectIndex/textLimit``.
        let texts: [Int: String]
    }

    private var known: [Key: KnownObject] = [:]
    /// The nested objects of the current record. They are added to `known` only if the record is accepted.
    private var pending: [Key: KnownObject] = [:]

    /// The key and digest of the current nested object until it becomes a row.
    var open: (key: Key, digest: [UInt8], texts: [Int: String])?

    /// The number of objects whose attributes are kept as texts.
    private static let textLimit = 10_000

    /// Whether the texts of another object are kept.
    var keepsTexts: Bool { known.count < Self.textLimit }

    /// For each nested object of the current record, a digest of its fields; empty until ``readContents(of:)``.
    private var contents: [[UInt8]] = []

    mutating func beginRecord() {
        pending.removeAll(keepingCapacity: true)
        contents.removeAll(keepingCapacity: true)
    }

    func find(_ key: Key) -> KnownObject? { pending[key] ?? known[key] }

    /// Notes that the current nested object became a row.
    mutating func close(_ id: RowID, at place: RecordLocation) {
        guard let open else { return }
        pending[open.key] = KnownObject(id: id, digest: open.digest, place: place, texts: open.texts)
        self.open = nil
    }

    mutating func acceptRecord() { known.merge(pending) { $1 } }

    // MARK: Contents

    /// - Parameter columns: the reader's columns. Their numbers differ between sources.
    mutating func readContents(of record: borrowing Record, _ columns: [String]) {
        guard contents.isEmpty else { return }
        contents = Array(repeating: [], count: record.nested.count)
        // An inner object has a larger index than the object around it, so the reverse order computes inner digests
        // first.
        for index in record.nested.indices.reversed() {
            var bytes: [UInt8] = []
            append(index, of: record, columns, to: &bytes) { _ in true }
            var digest = ContentDigest()
            digest.update(bytes)
            contents[index] = digest.bytes
        }
    }

    /// The digest of a nested object of the current record, after ``readContents(of:_:)``.
    func content(_ index: Int) -> [UInt8] { contents.indices.contains(index) ? contents[index] : [] }

    /// Appends the fields of a nested object in the order of the names of their columns.
    func append(
        _ index: Int, of record: borrowing Record, _ columns: [String], to bytes: inout [UInt8],
        where isWanted: (Int) -> Bool
    ) {
        let nested = record.nested[index]
        let fields = record.nestedFields
        func name(_ place: Int) -> String {
            let column = Int(fields[place].column)
            return columns.indices.contains(column) ? columns[column] : ""
        }
        let places = (Int(nested.fieldsStart)..<Int(nested.fieldsEnd)).sorted { first, second in
            guard fields[first].column != fields[second].column else { return first < second }
            return name(first).utf8.lexicographicallyPrecedes(name(second).utf8)
        }
        for place in places {
            let field = fields[place]
            guard isWanted(Int(field.column)) else { continue }
            let content = content(of: field, in: record)
            let name = name(place)
            bytes.append(
                contentsOf: Array(
                    "[\(name.utf8.count),\(name),\(field.kind),\(field.isElement),\(content.count)]".utf8))
            bytes.append(contentsOf: content)
        }
    }

    private func content(of field: Record.Field, in record: borrowing Record) -> [UInt8] {
        let written = Array(record.bytes[field.range])
        switch field.kind {
        case .object: return self.content(Int(field.start))
        case .number:
            // 1 and 1.0 are equal numbers, so the digest is of the number's canonical text.
            let number = written.withUnsafeBufferPointer { try? DecimalText.parse($0) }
            return number.map { Array($0.description.utf8) } ?? written
        default: return written
        }
    }
}

extension ImportReader {
    /// The natural key of the nested object in the last row of the batch; nil if its entity has no key or part of the
    /// key is NULL.
    func nestedKey(_ entity: Schema.Entity, _ relationship: Schema.Relationship, _ job: ResolvedJob)
        -> NestedObjectIndex
        .Key?
    {
        let names = job.nestedKey(relationship) ?? NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name)
        guard let names else { return nil }
        let row = batch.rows.rows.count - 1
        var bytes: [UInt8] = []
        let slots = names.compactMap { entity.attribute(named: $0)?.slot }
        for slot in slots.sorted() {
            guard batch.rows[row, slot] != .null else { return nil }
            bytes.append(contentsOf: Array("\(slot):".utf8))
            Self.append(batch.rows[row, slot], of: batch.rows, to: &bytes)
        }
        return NestedObjectIndex.Key(entity: entity.index, bytes: bytes)
    }

    /// A digest of a nested object: its attributes as parsed values, its references and nested objects as their source
    /// text.
    ///
    /// The digest does not depend on the order of members, but on the order of a list's elements.
    func nestedDigest(
        _ index: Int, _ entity: Schema.Entity, _ record: borrowing Record, _ reader: any RecordReader,
        _ rowParser: RowParser
    ) -> [UInt8] {
        let row = batch.rows.rows.count - 1
        var bytes: [UInt8] = []
        for attribute in entity.attributes where rowParser.isFilled(attribute.slot) {
            bytes.append(contentsOf: Array("\(attribute.slot):".utf8))
            Self.append(batch.rows[row, attribute.slot], of: batch.rows, to: &bytes)
        }
        nestedObjects.readContents(of: record, reader.columns)
        nestedObjects.append(index, of: record, reader.columns, to: &bytes) { column in
            guard rowParser.plan.roles.indices.contains(column) else { return true }
            switch rowParser.plan.roles[column] {
            case .attribute, .ignored: return false
            default: return true
            }
        }
        var digest = ContentDigest()
        digest.update(bytes)
        return digest.bytes
    }

    static func append(_ cell: StoredCell, of rows: borrowing RowBatch, to bytes: inout [UInt8]) {
        switch cell {
        case .text(let start, let count), .blob(let start, let count), .decimal(let start, let count),
            .file(let start, let count):
            bytes.append(contentsOf: Array("\(count)=".utf8))
            rows.lend(start, count) { bytes.append(contentsOf: $0) }
        default: bytes.append(contentsOf: Array("\(cell);".utf8))
        }
    }
}
