import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// Nested objects by their keys: several that say the same are one object.
struct NestedTwins {
    struct Key: Hashable {
        let entity: Int
        let bytes: [UInt8]
    }

    struct Twin {
        let id: RowID
        /// Of all that the object says, the objects inside it included.
        let digest: [UInt8]
        let place: RecordPlace
    }

    private var known: [Key: Twin] = [:]
    /// Those of the current record, which count only if it is accepted.
    private var pending: [Key: Twin] = [:]

    /// The key and the digest of the object that is read at the moment.
    var open: (key: Key, digest: [UInt8])?

    mutating func beginRecord() { pending.removeAll(keepingCapacity: true) }

    func find(_ key: Key) -> Twin? { pending[key] ?? known[key] }

    /// The object that is read at the moment is a row of its own.
    mutating func close(_ id: RowID, at place: RecordPlace) {
        guard let open else { return }
        pending[open.key] = Twin(id: id, digest: open.digest, place: place)
        self.open = nil
    }

    mutating func acceptRecord() { known.merge(pending) { $1 } }
}

extension ImportSession {
    /// The key of a nested object in the last row of the batch; nil where it has none, or part of it is NULL.
    func nestedKey(_ entity: Schema.Entity, _ relationship: Schema.Relationship, _ job: JobState) -> NestedTwins.Key? {
        let names = job.nestedKey(relationship) ?? NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name)
        guard let names else { return nil }
        let row = batch.rows.rows.count - 1
        var bytes: [UInt8] = []
        for name in names {
            guard let slot = entity.attribute(named: name)?.slot, batch.rows[row, slot] != .null else { return nil }
            Self.append(batch.rows[row, slot], of: batch.rows, to: &bytes)
        }
        return NestedTwins.Key(entity: entity.index, bytes: bytes)
    }

    /// A digest of all that a nested object says: its attributes as values, references and objects inside it as they are written.
    func nestedDigest(
        _ index: Int, _ entity: Schema.Entity, _ record: borrowing Record, _ reader: any RecordReader,
        _ builder: RowBuilder
    ) -> [UInt8] {
        var digest = ContentDigest()
        let row = batch.rows.rows.count - 1
        var bytes: [UInt8] = []
        for attribute in entity.attributes where builder.isFilled(attribute.slot) {
            bytes.append(contentsOf: Array("\(attribute.slot):".utf8))
            Self.append(batch.rows[row, attribute.slot], of: batch.rows, to: &bytes)
        }
        let nested = record.nested[index]
        for place in Int(nested.fieldsStart)..<Int(nested.fieldsEnd) {
            let column = Int(record.nestedFields[place].column)
            if builder.plan.roles.indices.contains(column), case .attribute = builder.plan.roles[column] { continue }
            Self.append(record.nestedFields[place], of: record, reader, to: &bytes)
        }
        // Children come behind their parents.
        var inside: Set<Int> = [index]
        for child in record.nested.indices.dropFirst(index + 1) {
            let nested = record.nested[child]
            guard inside.contains(Int(nested.parent)) else { continue }
            inside.insert(child)
            bytes.append(contentsOf: Array("{\(Int(nested.parent) - index),\(nested.column)".utf8))
            for place in Int(nested.fieldsStart)..<Int(nested.fieldsEnd) {
                Self.append(record.nestedFields[place], of: record, reader, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        digest.update(bytes)
        return digest.bytes
    }

    private static func append(
        _ field: Record.Field, of record: borrowing Record, _ reader: any RecordReader, to bytes: inout [UInt8]
    ) {
        bytes.append(
            contentsOf: Array("[\(field.column),\(field.kind),\(field.isElement),\(field.end - field.start)]".utf8))
        bytes.append(contentsOf: record.bytes[field.range])
    }

    private static func append(_ cell: StoredCell, of rows: borrowing RowBatch, to bytes: inout [UInt8]) {
        switch cell {
        case .text(let start, let count), .blob(let start, let count), .decimal(let start, let count):
            bytes.append(contentsOf: Array("\(count)=".utf8))
            rows.lend(start, count) { bytes.append(contentsOf: $0) }
        default: bytes.append(contentsOf: Array("\(cell);".utf8))
        }
    }
}
