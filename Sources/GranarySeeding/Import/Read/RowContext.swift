import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// What a record is read against, and where its problems and references go.
struct RowContext {
    let schema: Schema
    private(set) var file: String
    /// Whether rows may be refused late and the others kept.
    private let keepsGood: Bool
    var place = RecordPlace(file: 0, line: 0, column: 0, byteOffset: 0, record: 0)
    var naturalKeys: NaturalKeys
    var references = ReferenceTable()
    /// The problems of the current record.
    var diagnostics: [Diagnostic] = []
    /// The key of the reference that is read at the moment.
    var key: [UInt8] = []
    /// The object's own identifier, as key bytes; empty for none.
    private(set) var identifier: [UInt8] = []
    /// References of the current record that wait: whether it is refused is known only at its end.
    private var postponed: [ReferenceTable.Reference] = []
    /// The first reference that waits of the object that is read at the moment.
    private var objectStart = 0
    /// The identifiers that the record has made known.
    private var identifierEntries: [Int] = []
    private var cursor = Record.Cursor()
    private var rejectedRecords: Int64 = 0

    init(schema: Schema, keys: NaturalKeys, keepsGood: Bool) {
        self.schema = schema
        naturalKeys = keys
        self.keepsGood = keepsGood
        file = ""
    }

    mutating func setFile(_ name: String) { file = name }

    /// Starts the next record.
    mutating func begin(_ record: borrowing Record, file: Int32) {
        place = RecordPlace(
            file: file, line: record.line, column: record.column, byteOffset: record.byteOffset, record: record.number)
        diagnostics.removeAll(keepingCapacity: true)
        postponed.removeAll(keepingCapacity: true)
        objectStart = 0
        identifier.removeAll(keepingCapacity: true)
        identifierEntries.removeAll(keepingCapacity: true)
        naturalKeys.beginRecord()
        cursor = Record.Cursor()
    }

    /// Makes the object's identifier known; gives back the object that has it already.
    mutating func noteIdentifier(entity: Int, object: Int64) -> NaturalKeyIndex.Entry? {
        let (index, twin) = references.addIdentifier(identifier, entity: Int32(entity), object: object, place: place)
        if twin == nil { identifierEntries.append(index) }
        return twin
    }

    /// Starts the next object of the record: the record itself, or one that is nested in it.
    mutating func beginObject() {
        identifier.removeAll(keepingCapacity: true)
        objectStart = postponed.count
    }

    /// The object's key is known now: what its row is, or what it was found to be.
    ///
    /// - Parameter isNew: whether the store does not have the object: then it has no list to empty.
    mutating func endObject(key: Int64, isNew: Bool) {
        guard objectStart < postponed.count else { return }
        if isNew, postponed[objectStart...].contains(where: { $0.target == .nothing }) {
            // In a many-to-many it still says that nobody else has the object in a list.
            let kept = postponed[objectStart...].filter {
                $0.target != .nothing || references.isManyToMany(references.relationship(of: $0), schema)
            }
            postponed.replaceSubrange(objectStart..., with: kept)
        }
        for index in postponed[objectStart...].indices { postponed[index].owner = key }
    }

    /// The object is left alone, so its references are too.
    mutating func dropObject() { postponed.removeSubrange(objectStart...) }

    /// Whether the object gives lists.
    var objectHasLists: Bool {
        postponed[objectStart...].contains { references.relationship(of: $0).isToMany }
    }

    /// Whether the record has references that wait.
    var hasWaiting: Bool { !postponed.isEmpty }

    /// Whether one of them means an object.
    var objectRefers: Bool { postponed[objectStart...].contains { $0.target != .nothing } }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Hands on what was noted; returns whether the record is refused.
    ///
    /// - Parameter isLink: whether the record is one of a link file.
    mutating func end(isLink: Bool) -> Bool {
        // What is wrong with a reference to nothing is said when all records are read (``ReferenceResolver``).
        let isRejected = hasErrors || !isLink && postponed.contains(where: \.isHopeless)
        if isRejected { rejectedRecords += 1 }
        for var waiting in postponed {
            waiting.isRejected = isRejected
            // The next record gets the primary keys of a rejected one.
            if isRejected { waiting.owner = -rejectedRecords }
            references.append(waiting)
        }
        if isRejected {
            naturalKeys.rejectRecord()
            for index in identifierEntries { references.rejectIdentifier(index) }
        }
        return isRejected
    }

    /// With on-missing the object that is found must be certain to stay.
    func bindsEarly(_ policy: ImportOptions.MissingPolicy) -> Bool { policy == .error || !keepsGood }

    /// Takes the record's own identifier; NULL and the empty text are none. False for what cannot be one.
    mutating func setIdentifier(_ text: UnsafeBufferPointer<UInt8>, _ field: Record.Field) -> Bool {
        if field.kind == .null { return true }
        if text.isEmpty, field.kind != .emptyList, field.kind != .object { return true }
        guard !field.isElement, field.kind == .quoted || field.kind == .text, identifier.isEmpty else { return false }
        NaturalKeyBytes.append(text: text, to: &identifier)
        return true
    }

    func find(tracked: Int?) -> NaturalKeyIndex.Entry? {
        tracked.map { naturalKeys.tracked[$0].index.find(key) } ?? references.identifiers.find(key)
    }

    /// Keeps a reference by ``key`` until all objects are known, with the place of its field.
    mutating func postpone(
        _ relationship: Schema.Relationship, tracked: Int?, policy: ImportOptions.MissingPolicy, entity: Int,
        _ record: borrowing Record, _ field: Record.Field, column: String?
    ) {
        let position = record.position(of: field, file: "", &cursor)
        var fieldPlace = place
        fieldPlace.line = position.line
        fieldPlace.column = position.column
        fieldPlace.byteOffset = position.byteOffset ?? -1
        let target = tracked.map { ReferenceTable.Target.key(tracked: Int32($0)) } ?? .identifier
        var reference = references.reference(
            relationship, target, key: key, policy: policy, entity: entity, place: fieldPlace, field: column)
        if keepsGood, policy == .error, let tracked, naturalKeys.isConstant(tracked) {
            reference.isHopeless = find(tracked: tracked) == nil
        }
        postponed.append(reference)
    }

    /// A list without members: it empties the one that a stored object has.
    mutating func postponeEmptyList(_ relationship: Schema.Relationship, entity: Int) {
        postponed.append(
            references.reference(
                relationship, .nothing, key: [], policy: .error, entity: entity, place: place, field: nil))
    }

    /// A reference to an object whose row is known.
    mutating func postpone(
        _ relationship: Schema.Relationship, to object: RowID, objectEntity: Int, owner: Int64, entity: Int
    ) {
        var reference = references.reference(
            relationship, .object(entity: Int32(objectEntity), key: object.key), key: [], policy: .error,
            entity: entity, place: place, field: nil)
        reference.owner = owner
        postponed.append(reference)
        objectStart = postponed.count
    }

    /// The owner of the references of the current object is found by a key, at the end.
    mutating func setOwner(byKey key: [UInt8], tracked: Int, column: Int, field: String?) {
        for index in postponed[objectStart...].indices {
            references.setOwner(of: &postponed[index], key: key, tracked: tracked, column: column, field: field)
        }
    }

    mutating func report(
        _ violations: [Violation], _ record: borrowing Record, _ field: Record.Field, column: String, entity: String,
        property: String, text: UnsafeBufferPointer<UInt8>
    ) {
        let position = record.position(of: field, file: file, &cursor)
        let value = field.kind == .null ? nil : Diagnostic.shortened(String(decoding: text, as: UTF8.self))
        add(violations, at: position, column: column, entity: entity, property: property, value: value)
    }

    /// A member that no property is for, in a format that has no header to say it once.
    mutating func refuse(_ problem: Diagnostic, _ record: borrowing Record, _ field: Record.Field) {
        var problem = problem
        problem.position = record.position(of: field, file: file, &cursor)
        // A list is one member.
        if let last = diagnostics.last, last.code == problem.code, let field = last.field, let other = problem.field,
            field.utf8.elementsEqual(other.utf8)
        {
            return
        }
        diagnostics.append(problem)
    }

    /// About something that the record does not have: the place is the record's.
    mutating func report(_ violations: [Violation], _ record: borrowing Record, entity: String, property: String) {
        add(
            violations, at: record.position(ofRaw: 0, file: file), column: nil, entity: entity, property: property,
            value: nil)
    }

    private mutating func add(
        _ violations: [Violation], at position: SourcePosition, column: String?, entity: String, property: String,
        value: String?
    ) {
        for violation in violations {
            diagnostics.append(
                Diagnostic(
                    violation.code, violation.message, at: position, field: column, entity: entity, property: property,
                    value: value, coreDataCode: violation.coreDataCode, help: violation.help))
        }
    }
}
