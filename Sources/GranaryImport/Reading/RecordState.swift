import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// The state for reading records: natural keys and references, and the problems of the current record.
struct RecordState {
    let schema: Schema
    private(set) var file: String
    /// Whether valid rows are stored if others are rejected (keep-good).
    private let keepsGood: Bool
    var place = RecordLocation(file: 0, line: 0, column: 0, byteOffset: 0, record: 0)
    /// The place of the current object: of the record, or of an object nested in it.
    private(set) var objectPlace = RecordLocation(file: 0, line: 0, column: 0, byteOffset: 0, record: 0)
    var keyIndexes: KeyIndexes
    var references = ReferenceTable()
    /// The problems of the current record.
    var diagnostics: [Diagnostic] = []
    /// The key of the current reference.
    var key: [UInt8] = []
    /// The `$id` of the current object as key bytes; empty for none.
    @inline(__always)
    var identifier: [UInt8] { identifiers.current }
    private var identifiers = Identifiers()
    /// The waiting references of the current record. Whether the record is rejected is known only at its end.
    private(set) var postponed: [ReferenceTable.Reference] = []
    /// The index of the current object's first reference in ``postponed``.
    private var objectStart = 0
    /// The number of problems of the record before the current object.
    private var objectProblems = 0
    /// The keys of the current record's references, by slot; nil unless equal records of the source are one object.
    private(set) var referenceKeys: [Int: [UInt8]]?
    /// The texts of keys that begin or end with spaces.
    var edgeSpaces = EdgeSpaces()
    private var cursor = Record.Cursor()
    /// The start of the last nested object. A cursor of its own never moves back in the record.
    private var nestedCursor = Record.Cursor()
    private var rejectedRecords: Int64 = 0

    private struct Identifiers {
        /// The identifier of the current object.
        var current: [UInt8] = []
        /// The entries of the identifiers of all objects of the record.
        var entries: [(index: Int, isNested: Bool)] = []
        /// The stored objects that nested objects name, and the records that named them before.
        var claims: [(index: Int, before: KeyEntries.Place)] = []
    }

    init(schema: Schema, keys: KeyIndexes, keepsGood: Bool) {
        self.schema = schema
        keyIndexes = keys
        self.keepsGood = keepsGood
        file = ""
    }

    /// - Parameter mergesEqualRows: whether equal records of the source are one object.
    mutating func setFile(_ name: String, mergesEqualRows: Bool = false) {
        file = name
        referenceKeys = mergesEqualRows ? [:] : nil
    }

    /// Starts the next record.
    mutating func begin(_ record: borrowing Record, file: Int32) {
        place = RecordLocation(
            file: file, line: record.line, column: record.column, byteOffset: record.byteOffset, record: record.number)
        objectPlace = place
        diagnostics.removeAll(keepingCapacity: true)
        postponed.removeAll(keepingCapacity: true)
        objectStart = 0
        identifiers.current.removeAll(keepingCapacity: true)
        identifiers.entries.removeAll(keepingCapacity: true)
        if !identifiers.claims.isEmpty { identifiers.claims.removeAll() }
        keyIndexes.beginRecord()
        referenceKeys?.removeAll(keepingCapacity: true)
        cursor = Record.Cursor()
        nestedCursor = Record.Cursor()
    }

    /// Whether the fields of the current object have errors.
    var objectHasErrors: Bool { diagnostics.dropFirst(objectProblems).contains { $0.severity == .error } }

    /// Adds the object's identifier. Returns the object that already has it, if any.
    mutating func noteIdentifier(entity: Int, object: Int64) -> NaturalKeyIndex.Entry? {
        if let index = storedIdentifier, references.identifiers[index].key == object,
            Int(references.identifiers[index].entity) == entity
        {
            claimIdentifier(index)
            return nil
        }
        let (index, other) = references.addIdentifier(
            identifier, entity: Int32(entity), object: object, place: objectPlace)
        if other == nil { identifiers.entries.append((index, keyIndexes.isNested)) }
        return other
    }

    /// Whether an accepted object of the import has the `$id` of the current one.
    var isIdentifierTaken: Bool {
        guard !identifier.isEmpty, let entry = references.identifiers.find(identifier) else { return false }
        return !entry.isRejected && entry.record != 0
    }

    /// The entry of the stored object with the `$id` of the current one, if no record names it yet.
    private var storedIdentifier: Int? {
        guard let index = references.identifiers.findIndex(identifier), references.identifiers[index].record == 0 else {
            return nil
        }
        return index
    }

    /// Notes that the current object is the stored one of an identifier. If it is nested in a record that is rejected,
    /// the claim is taken back.
    mutating func claimIdentifier(_ index: Int) {
        if keyIndexes.isNested { identifiers.claims.append((index, references.identifiers.claimant(index))) }
        references.claimIdentifier(
            index,
            at: KeyEntries.Place(record: objectPlace.record, line: objectPlace.line, file: objectPlace.file))
    }

    /// Reads the `$id` of the stored objects of entities, by which records and references name them.
    mutating func loadIdentifiers(of entities: Set<Int>, from store: any StoreBackend) throws {
        var key: [UInt8] = []
        for entity in entities.sorted() {
            let prefix = schema.entities[entity].name + "/p"
            try store.read(entities: entity..<entity + 1, batchSize: 1000) { batch in
                for header in batch.rows {
                    key.removeAll(keepingCapacity: true)
                    Array("\(prefix)\(header.key)".utf8).withUnsafeBufferPointer {
                        NaturalKeyBytes.append(text: $0, to: &key)
                    }
                    references.addStored(key, entity: header.entity, object: header.key)
                }
                return true
            }
        }
    }

    /// Sets the place of the next object, which is nested in the record.
    mutating func beginNested(_ nested: Record.Nested, _ record: borrowing Record) {
        let position = record.position(of: nested, file: "", &nestedCursor)
        objectPlace.line = position.line
        objectPlace.column = position.column
        objectPlace.byteOffset = position.byteOffset ?? -1
        keyIndexes.isNested = true
    }

    /// Starts the next object: the record itself or a nested object.
    mutating func beginObject() {
        identifiers.current.removeAll(keepingCapacity: true)
        objectStart = postponed.count
        objectProblems = diagnostics.count
    }

    /// Sets the owner of the object's references, after its primary key is known.
    ///
    /// - Parameter isNew: whether the object is new, so that an empty list removes no links.
    mutating func endObject(key: Int64, isNew: Bool) {
        guard objectStart < postponed.count else { return }
        if isNew, postponed[objectStart...].contains(where: { $0.target == .nothing }) {
            // In a many-to-many an empty list also excludes the object from lists at the other end.
            let kept = postponed[objectStart...].filter {
                $0.target != .nothing || schema.isManyToMany(references.relationship(of: $0))
            }
            postponed.replaceSubrange(objectStart..., with: kept)
        }
        for index in postponed[objectStart...].indices { postponed[index].owner = key }
    }

    /// Removes the references of an object that is not changed.
    ///
    /// - Parameter slots: the slots of relationships whose references are kept.
    mutating func dropObject(keeping slots: Set<Int> = []) {
        guard !slots.isEmpty else {
            postponed.removeSubrange(objectStart...)
            return
        }
        let kept = postponed[objectStart...].filter { slots.contains(references.relationship(of: $0).slot) }
        postponed.replaceSubrange(objectStart..., with: kept)
    }

    /// Whether the object has lists.
    @inline(__always)
    var objectHasLists: Bool {
        postponed[objectStart...].contains { references.relationship(of: $0).isToMany }
    }

    /// Whether the object that the current object refers to in a to-one relationship does not exist yet, and no record
    /// can give its key to an object that exists. If its record was rejected, this record will be too.
    func refersToNothing(_ slot: Int) -> Bool {
        let found = postponed[objectStart...].last {
            !references.relationship(of: $0).isToMany
                && references.relationship(of: $0).slot == slot
        }
        guard let reference = found, case .key(let indexNumber) = reference.target else { return false }
        let index = Int(indexNumber)
        guard let entry = keyIndexes.all[index].index.find(references.key(of: reference)) else {
            return !keyIndexes.isChangeable(index)
        }
        // No stored object refers to an object that a lookup has created.
        return entry.isRejected || entry.isMade
    }

    /// Whether the record has waiting references.
    @inline(__always)
    var hasWaiting: Bool { !postponed.isEmpty }

    /// Removes the record's waiting references, because they are resolved.
    mutating func dropWaiting() {
        references.removeKeys(of: postponed)
        postponed.removeAll(keepingCapacity: true)
        objectStart = 0
    }

    /// Whether one of the object's waiting references is not empty.
    @inline(__always)
    var objectRefers: Bool { postponed[objectStart...].contains { $0.target != .nothing } }

    @inline(__always)
    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Ends the record and adds its references to the table. Returns whether the record is rejected.
    ///
    /// - Parameters:
    ///   - isLink: whether the record is from a link file.
    ///   - isOwn: whether a new object of the record has this primary key in the hierarchy of this root entity.
    mutating func end(isLink: Bool, isOwn: (_ root: Int, _ key: Int64) -> Bool) -> Bool {
        // ``ReferenceResolver`` reports references without an object after all records are read.
        let isRejected = hasErrors || !isLink && postponed.contains(where: \.cannotResolve)
        if isRejected { rejectedRecords += 1 }
        for var waiting in postponed {
            // The next record reuses the primary keys of the objects nested in a rejected one.
            if isRejected, case .object = waiting.target { continue }
            waiting.isRejected = isRejected
            // The primary keys of a rejected record are reused, so its references get another owner.
            if isRejected { waiting.owner = -rejectedRecords }
            references.append(waiting)
        }
        if isRejected {
            keyIndexes.rejectRecord(isOwn: isOwn)
            for entry in identifiers.entries { references.rejectIdentifier(entry.index, yields: entry.isNested) }
            for claim in identifiers.claims.reversed() { references.claimIdentifier(claim.index, at: claim.before) }
        }
        return isRejected
    }

    /// Whether a reference may be set while reading. With another policy than error, the object found could still be
    /// rejected with its record.
    @inline(__always)
    func bindsEarly(_ policy: ImportOptions.MissingPolicy) -> Bool { policy == .error || !keepsGood }

    /// Sets the object's identifier. NULL and the empty text mean none. False if the field cannot be an identifier.
    mutating func setIdentifier(
        _ text: UnsafeBufferPointer<UInt8>, _ field: Record.Field, suffix: [UInt8]
    ) -> Bool {
        if field.kind == .null { return true }
        if text.isEmpty, field.kind != .emptyList, field.kind != .object { return true }
        guard !field.isElement, field.kind == .quoted || field.kind == .text, identifier.isEmpty else { return false }
        NaturalKeyBytes.append(text: text, suffix: suffix, to: &identifiers.current)
        return true
    }

    /// Returns the entry with ``key`` in an index of natural keys, or in the identifiers if `indexNumber` is nil.
    @inline(__always)
    func find(indexNumber: Int?) -> NaturalKeyIndex.Entry? {
        guard let indexNumber else { return references.identifiers.find(key) }
        return keyIndexes.all[indexNumber].index.find(key)
    }

    /// Sets ``key`` to that of a waiting reference.
    mutating func loadKey(of reference: ReferenceTable.Reference) { references.copyKey(of: reference, to: &key) }

    /// Adds a waiting reference by ``key``.
    ///
    /// - Parameter possibleIdentifier: the object's `$id`, unless an object has the key; nil if the text is no `$id`.
    mutating func postpone(
        _ relationship: Schema.Relationship, indexNumber: Int?, policy: ImportOptions.MissingPolicy, entity: Int,
        _ record: borrowing Record, _ field: Record.Field, column: String?, possibleIdentifier: [UInt8]?
    ) {
        let position = record.position(of: field, file: "", &cursor)
        var fieldPlace = place
        fieldPlace.line = position.line
        fieldPlace.column = position.column
        fieldPlace.byteOffset = position.byteOffset ?? -1
        let text = possibleIdentifier == key ? [] : possibleIdentifier ?? []
        let target =
            indexNumber.map { number -> ReferenceTable.Target in
                possibleIdentifier == nil
                    ? .key(indexNumber: Int32(number))
                    : .keyOrIdentifier(indexNumber: Int32(number), textCount: Int32(text.count))
            } ?? .identifier
        var reference = references.reference(
            relationship, target, text: text, key: key, policy: policy, entity: entity, place: fieldPlace, field: column
        )
        if keepsGood, policy == .error, possibleIdentifier == nil, let indexNumber, keyIndexes.isConstant(indexNumber) {
            reference.cannotResolve = find(indexNumber: indexNumber) == nil
        }
        postponed.append(reference)
    }

    /// Adds an empty list, which removes the links of a stored object.
    mutating func postponeEmptyList(_ relationship: Schema.Relationship, entity: Int) {
        postponed.append(
            references.reference(
                relationship, .nothing, key: [], policy: .error, entity: entity, place: place, field: nil))
    }

    /// Adds a reference to an object whose row is known.
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

    /// Notes ``key`` as one that the record's relationship has. Whether it is an `$id` follows from the text.
    mutating func noteReference(_ slot: Int) {
        referenceKeys?[slot, default: []].append(contentsOf: withUnsafeBytes(of: key.count) { Array($0) })
        referenceKeys?[slot, default: []].append(contentsOf: key)
    }

    /// Sets the key by which the owner of the current object's references is found later.
    mutating func setOwner(byKey key: [UInt8], indexNumber: Int, column: Int, field: String?) {
        for index in postponed[objectStart...].indices {
            references.setOwner(of: &postponed[index], key: key, indexNumber: indexNumber, column: column, field: field)
        }
    }

    /// Adds a warning about a field that does not reject the record.
    mutating func warn(
        _ message: String, _ record: borrowing Record, _ field: Record.Field, column: String, entity: String,
        property: String
    ) {
        let position = record.position(of: field, file: file, &cursor)
        diagnostics.append(
            Diagnostic(
                .valueMissing, message, severity: .warning, at: position, field: column, entity: entity,
                property: property))
    }

    mutating func report(
        _ violations: [Violation], _ record: borrowing Record, _ field: Record.Field, column: String, entity: String,
        property: String, text: UnsafeBufferPointer<UInt8>
    ) {
        let position = record.position(of: field, file: file, &cursor)
        let value = field.kind == .null ? nil : Diagnostic.shortened(String(decoding: text, as: UTF8.self))
        add(violations, at: position, column: column, entity: entity, property: property, value: value)
    }

    /// Reports a field without a property, in formats without a header.
    mutating func report(_ problem: Diagnostic, _ record: borrowing Record, _ field: Record.Field) {
        var problem = problem
        problem.position = record.position(of: field, file: file, &cursor)
        // The elements of a list are reported once.
        if let last = diagnostics.last, last.code == problem.code, let field = last.field, let other = problem.field,
            field.utf8.elementsEqual(other.utf8)
        {
            return
        }
        diagnostics.append(problem)
    }

    /// Reports violations of a property without a field, at the record's position.
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
                    violation.code, violation.message, severity: violation.isWarning ? .warning : .error, at: position,
                    field: column, entity: entity, property: property, value: value,
                    coreDataCode: violation.coreDataCode, help: violation.help))
        }
    }
}
