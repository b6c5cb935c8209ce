import GranaryBase
import GranaryModel

/// The references that wait: to objects of later records, members of to-many relationships, and one-to-one
/// relationships. ``ReferenceResolver`` resolves them after all rows are read, so references can point forward, to the
/// record itself and in circles, and files can have any order.
struct ReferenceTable {
    /// The object that a reference means.
    enum Target: Equatable {
        /// The object with the reference's key in an index of ``KeyIndexes``.
        case key(indexNumber: Int32)
        /// The object with the reference's key in an index of ``KeyIndexes``, or else the object with its text as its
        /// `$id`. The text differs from the key if the key is read from it, such as bytes from Base64: then so many bytes
        /// before the key are the text.
        case keyOrIdentifier(indexNumber: Int32, textCount: Int32)
        /// The object with the reference's key as its `$id`.
        case identifier
        /// This object: its concrete entity, as an index, and key.
        case object(entity: Int32, key: Int64)
        /// No object: the list is empty.
        case nothing
    }

    /// One reference of one object. It is compact, because there can be several for each row.
    struct Reference {
        /// An index into ``ReferenceTable/relationships``.
        let relationship: Int32
        /// The owner's concrete entity, as an index.
        let entity: Int32
        var owner: Int64 = 0
        /// For links: the number in ``KeyIndexes/all`` of the index that finds the owner; -1 for other references. The
        /// bytes of the owner's key follow those of the target's key.
        var ownerIndexNumber: Int32 = -1
        var ownerKeyCount: Int32 = 0
        /// For links: the position of the owner's key in its line.
        var ownerColumn: Int32 = 1
        /// For links: the index of the owner's column in ``ReferenceTable/fields``, or -1.
        var ownerField: Int32 = -1
        let target: Target
        var keyStart: Int
        let keyCount: Int32
        let policy: ImportOptions.MissingPolicy
        /// An index into ``ReferenceTable/fields``, or -1.
        let field: Int32
        let place: RecordLocation
        /// Whether the record was rejected while it was read.
        var isRejected = false
        /// Whether no object has the key and no record of the import can create one. The record of such a reference is
        /// rejected while it is read.
        var cannotResolve = false

        /// Whether the reference is a link of a link file. The owner is found by its key, and its other links stay.
        var isLink: Bool { ownerIndexNumber >= 0 }

        fileprivate var textStart: Int {
            guard case .keyOrIdentifier(_, let count) = target else { return keyStart }
            return keyStart - Int(count)
        }
    }

    private(set) var references: [Reference] = []
    private(set) var relationships: [Schema.Relationship] = []
    private(set) var fields: [String] = []
    private var keys: [UInt8] = []
    private var fieldNumbers: [String: Int32] = [:]
    /// Objects by their `$id` in the source.
    private(set) var identifiers = NaturalKeyIndex()

    /// Adds the `$id` of an object.
    ///
    /// - Returns: the entry, and the object that already has the identifier, if any.
    mutating func addIdentifier(
        _ key: [UInt8], entity: Int32, object: Int64, place: RecordLocation
    ) -> (index: Int, other: NaturalKeyIndex.Entry?) {
        identifiers.insert(
            key, entity: entity, object: object, record: place.record, line: place.line, file: place.file,
            marksSharing: false)
    }

    /// Notes that the object of an identifier, which is stored, is named by a record; or that it is named by another one
    /// again.
    mutating func claimIdentifier(_ index: Int, at place: KeyEntries.Place) { identifiers.restore(index, to: place) }

    /// Adds the identifier of a stored object.
    mutating func addStored(_ key: [UInt8], entity: Int32, object: Int64) {
        _ = identifiers.insert(key, entity: entity, object: object, marksSharing: false)
    }

    /// - Parameter yields: whether another object can take the identifier.
    mutating func rejectIdentifier(_ index: Int, yields: Bool) { identifiers.reject(index, yields: yields) }

    /// Creates a reference and stores its key. ``append(_:)`` adds it to the table.
    ///
    /// - Parameter text: the bytes before the key (``Target/keyOrIdentifier(indexNumber:textCount:)``).
    mutating func reference(
        _ relationship: Schema.Relationship, _ target: Target, text: [UInt8] = [], key: [UInt8],
        policy: ImportOptions.MissingPolicy, entity: Int, place: RecordLocation, field: String?
    ) -> Reference {
        keys.append(contentsOf: text)
        let start = keys.count
        keys.append(contentsOf: key)
        return Reference(
            relationship: number(of: relationship), entity: Int32(entity), target: target, keyStart: start,
            keyCount: Int32(key.count), policy: policy, field: field.map { number(of: $0) } ?? -1, place: place)
    }

    /// Removes the keys of the references that were created last and not appended.
    mutating func removeKeys(of last: [Reference]) {
        guard let first = last.map(\.textStart).min(), first < keys.count else { return }
        keys.removeSubrange(first...)
    }

    mutating func append(_ reference: Reference) { references.append(reference) }

    mutating func setOwner(
        of reference: inout Reference, key: [UInt8], indexNumber: Int, column: Int, field: String?
    ) {
        reference.ownerColumn = Int32(clamping: column)
        reference.ownerField = field.map { number(of: $0) } ?? -1
        let text = Array(keys[reference.textStart..<reference.keyStart])
        let target = self.key(of: reference)
        keys.append(contentsOf: text)
        reference.keyStart = keys.count
        reference.ownerIndexNumber = Int32(indexNumber)
        reference.ownerKeyCount = Int32(key.count)
        keys.append(contentsOf: target)
        keys.append(contentsOf: key)
    }

    func key(of reference: Reference) -> [UInt8] {
        var key: [UInt8] = []
        copyKey(of: reference, to: &key)
        return key
    }

    /// The text of a reference as the key of an `$id`.
    func identifier(of reference: Reference) -> [UInt8] {
        let start = reference.textStart
        return start == reference.keyStart ? key(of: reference) : Array(keys[start..<reference.keyStart])
    }

    func copyKey(of reference: Reference, to key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: keys[reference.keyStart..<reference.keyStart + Int(reference.keyCount)])
    }

    func ownerKey(of reference: Reference) -> [UInt8] {
        let start = reference.keyStart + Int(reference.keyCount)
        return Array(keys[start..<start + Int(reference.ownerKeyCount)])
    }

    func relationship(of reference: Reference) -> Schema.Relationship { relationships[Int(reference.relationship)] }

    func field(of reference: Reference) -> String? {
        fields.indices.contains(Int(reference.field)) ? fields[Int(reference.field)] : nil
    }

    private mutating func number(of relationship: Schema.Relationship) -> Int32 {
        // A model has few relationships, and rows of one entity use the same ones.
        if let known = relationships.firstIndex(where: { $0 === relationship }) { return Int32(known) }
        relationships.append(relationship)
        return Int32(relationships.count - 1)
    }

    private mutating func number(of field: String) -> Int32 {
        if let known = fieldNumbers[field] { return known }
        fields.append(field)
        fieldNumbers[field] = Int32(fields.count - 1)
        return Int32(fields.count - 1)
    }
}
