import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The nested objects of an import by natural key. Nested objects with equal keys are one object, which has the members
/// of all its mentions.
struct NestedObjectIndex {
    struct Key: Hashable {
        let entity: Int
        let bytes: [UInt8]
    }

    /// A record that gives an object members which earlier mentions lack.
    struct Supplier {
        let place: RecordLocation
        let slots: Set<Int>
    }

    struct KnownObject {
        let id: RowID
        var contents: NestedContents
        /// The place where the object is mentioned first.
        let place: RecordLocation
        /// The texts of the attributes by slot, for messages; empty for objects after the first
        /// ``NestedObjectIndex/textLimit``.
        var texts: [Int: String]
        /// Whether a record creates the object.
        let isNew: Bool
        /// Whether the object is stored and rows do not change it.
        var isSkipped = false
        /// The merge of a stored object that must equal the nested one.
        var equal: ParsedRows.Merge?
        /// Required values that no mention has so far, by slot, with the problem of the first mention.
        var missing: [Int: Diagnostic] = [:]
        /// The later mentions, as long as a required value is missing.
        var mentions: [RecordLocation] = []
        var suppliers: [Supplier] = []
    }

    /// The current nested object until it becomes a row.
    struct Open {
        let key: Key
        let contents: NestedContents
        let texts: [Int: String]
        var missing: [Int: Diagnostic] = [:]
    }

    private var known: [Key: KnownObject] = [:]
    /// The nested objects of the current record. They are added to `known` only if the record is accepted.
    private var pending: [Key: KnownObject] = [:]

    var open: Open?

    /// The number of objects whose attributes are kept as texts.
    private static let textLimit = 10_000

    /// Whether the texts of another object are kept.
    var keepsTexts: Bool { known.count < Self.textLimit }

    /// For each nested object of the current record, a digest of its fields; empty until ``readContents(of:)``.
    private var contents: [[UInt8]] = []

    mutating func beginRecord() {
        open = nil
        pending.removeAll(keepingCapacity: true)
        contents.removeAll(keepingCapacity: true)
    }

    func find(_ key: Key) -> KnownObject? { pending[key] ?? known[key] }

    /// Notes that the current nested object became a row.
    ///
    /// - Parameter merge: how the row changes a stored object.
    mutating func close(_ object: ImportReader.ImportedObject, _ merge: ParsedRows.Merge?, at place: RecordLocation) {
        guard let open else { return }
        self.open = nil
        pending[open.key] = KnownObject(
            id: object.id, contents: open.contents, place: place, texts: open.texts,
            isNew: object.disposition == .insert, isSkipped: object.disposition == .skip,
            equal: merge.flatMap { $0.equalKey < 0 ? nil : $0 },
            missing: open.missing)
    }

    /// Replaces what is known of an object, if the current record is accepted.
    mutating func update(_ key: Key, _ object: KnownObject) { pending[key] = object }

    /// The problems of objects that the current record mentions first, and whose required values no mention has so far.
    func pendingProblems(of record: RecordID) -> [Diagnostic] {
        Self.sorted(pending.values.filter { RecordID($0.place) == record })
            .flatMap { $0.missing.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// The records that mention an object without a required value, and the problem of each, in the order of the records.
    func incomplete(files: [String]) -> [(record: RecordID, problem: Diagnostic)] {
        var found: [(record: RecordID, problem: Diagnostic)] = []
        for object in Self.sorted(known.values.filter { !$0.missing.isEmpty }) {
            var seen: Set<RecordID> = []
            let problems = object.missing.sorted { $0.key < $1.key }.map(\.value)
            found += problems.map { (RecordID(object.place), $0) }
            seen.insert(RecordID(object.place))
            for place in object.mentions where seen.insert(RecordID(place)).inserted {
                for var problem in problems {
                    problem.position = place.position(files: files)
                    found.append((RecordID(place), problem))
                }
            }
        }
        return found.enumerated().sorted { ($0.element.record, $0.offset) < ($1.element.record, $1.offset) }
            .map(\.element)
    }

    /// Objects in the order of their first mentions.
    private static func sorted(_ objects: [KnownObject]) -> [KnownObject] {
        objects.sorted {
            ($0.place.file, $0.place.line, $0.place.column) < ($1.place.file, $1.place.line, $1.place.column)
        }
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

    /// The source text of a field; for a nested object, its digest after ``readContents(of:_:)``.
    func content(of field: Record.Field, in record: borrowing Record) -> [UInt8] {
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

    /// What the nested object in the last row of the batch says: its attributes as parsed values, its references and the
    /// keys of objects nested in it as their source text. A nested object without a key is its whole content.
    ///
    /// The order of the elements of a list counts.
    func nestedContents(
        _ index: Int, _ entity: Schema.Entity, _ record: borrowing Record, _ reader: any RecordReader,
        _ rowParser: RowParser, _ job: ResolvedJob
    ) throws -> NestedContents {
        let row = batch.rows.rows.count - 1
        var members: [Int: [UInt8]] = [:]
        for attribute in entity.attributes where rowParser.isFilled(attribute.slot) {
            Self.append(batch.rows[row, attribute.slot], of: batch.rows, to: &members[attribute.slot, default: []])
        }
        let nested = record.nested[index]
        var others: [(name: String, slot: Int, value: [UInt8])] = []
        for place in Int(nested.fieldsStart)..<Int(nested.fieldsEnd) {
            let field = record.nestedFields[place]
            let column = Int(field.column)
            let name = reader.columns.indices.contains(column) ? reader.columns[column] : ""
            let roles = rowParser.plan.roles
            switch roles.indices.contains(column) ? roles[column] : .unresolved {
            case .attribute, .ignored: continue
            case .reference(let reference):
                let relationship = rowParser.plan.references[reference].relationship
                members[relationship.slot, default: []] += try nestedValue(field, relationship, record, reader, job)
            case .part(let reference, _):
                others.append(
                    (
                        name, rowParser.plan.references[reference].relationship.slot,
                        nestedObjects.content(of: field, in: record)
                    ))
            case .unresolved, .rejected, .otherEntity, .uncorrected, .identifier:
                if field.kind == .object { nestedObjects.readContents(of: record, reader.columns) }
                others.append((name, NestedContents.others, nestedObjects.content(of: field, in: record)))
            }
        }
        // The order of members does not count.
        for other in others.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            members[other.slot, default: []] += Array(
                "\(other.name.utf8.count),\(other.name),\(other.value.count)=".utf8)
            members[other.slot, default: []] += other.value
        }
        return NestedContents(members)
    }

    /// The value of a relationship's field in ``nestedContents(_:_:_:_:_:_:)``.
    private func nestedValue(
        _ field: Record.Field, _ relationship: Schema.Relationship, _ record: borrowing Record,
        _ reader: any RecordReader, _ job: ResolvedJob
    ) throws -> [UInt8] {
        let (kind, value): (String, [UInt8])
        switch field.kind {
        case .null: (kind, value) = ("null", [])
        case .emptyList: (kind, value) = ("none", [])
        case .object:
            if let key = try nestedName(Int(field.start), relationship, record, reader, job) {
                (kind, value) = ("key", key)
            } else {
                nestedObjects.readContents(of: record, reader.columns)
                (kind, value) = ("object", nestedObjects.content(of: field, in: record))
            }
        default: (kind, value) = ("key", nestedObjects.content(of: field, in: record))
        }
        return Array("[\(kind),\(value.count)]".utf8) + value
    }

    /// The source text of the natural key of a nested object of the current record; nil if it has none.
    func nestedName(
        _ index: Int, _ relationship: Schema.Relationship, _ record: borrowing Record, _ reader: any RecordReader,
        _ job: ResolvedJob
    ) throws -> [UInt8]? {
        guard record.nested.indices.contains(index) else { return nil }
        let fields = record.nestedFields[
            Int(record.nested[index].fieldsStart)..<Int(record.nested[index].fieldsEnd)]
        var entity = schema.entities[relationship.destination]
        switch entityName(of: record, fields, reader) {
        case .absent: break
        case .name(let name):
            guard let found = schema.entity(named: name), entity.family.contains(found.index) else { return nil }
            entity = found
        case .invalid: return nil
        }
        guard let names = job.nestedKey(relationship) ?? NaturalKey(of: entity, allowsSeveral: true)?.names else {
            return nil
        }
        let parser = rowParser(entity, of: job)
        try resolveColumns(of: record, fields, parser, reader, isRecord: false)
        var key: [UInt8] = []
        for name in names {
            let field = fields.first { field in
                guard parser.plan.roles.indices.contains(Int(field.column)),
                    case .attribute = parser.plan.roles[Int(field.column)]
                else { return false }
                return parser.plan.property(ofColumn: Int(field.column)) == name
            }
            guard let field, !field.isElement else { return nil }
            switch field.kind {
            case .null, .emptyList, .object, .array: return nil
            default: break
            }
            let value = nestedObjects.content(of: field, in: record)
            if names.count > 1 { key += Array("\(value.count)=".utf8) }
            key += value
        }
        return key
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
