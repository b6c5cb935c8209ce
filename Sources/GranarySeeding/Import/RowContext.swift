import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// What a record is read against, and where its problems and references go.
struct RowContext {
    let schema: Schema
    private(set) var file: String
    var place = RecordPlace(file: 0, line: 0, column: 0, byteOffset: 0, record: 0)
    var keys: TrackedKeys
    var references = ReferenceTable()
    /// The problems of the current record.
    var diagnostics: [Diagnostic] = []
    /// The key of the reference that is read at the moment.
    var key: [UInt8] = []
    /// The record's own identifier, as key bytes; empty for none.
    private(set) var identifier: [UInt8] = []
    /// References of the current record that wait: whether its row is refused is known only at its end.
    private var postponed: [Postponed] = []
    private var cursor = Record.Cursor()

    private struct Postponed {
        let relationship: Schema.Relationship
        let tracked: Int?
        let entity: Int
        let key: [UInt8]
        let place: RecordPlace
        let field: String?
    }

    init(schema: Schema, file: String, keys: TrackedKeys) {
        self.schema = schema
        self.file = file
        self.keys = keys
    }

    mutating func setFile(_ name: String) { file = name }

    /// Starts the next record.
    mutating func begin(_ record: borrowing Record, file: Int32) {
        place = RecordPlace(
            file: file, line: record.line, column: record.column, byteOffset: record.byteOffset, record: record.number)
        diagnostics.removeAll(keepingCapacity: true)
        identifier.removeAll(keepingCapacity: true)
        postponed.removeAll(keepingCapacity: true)
        cursor = Record.Cursor()
    }

    /// Hands on what was noted; returns whether the record is refused.
    ///
    /// - Parameter key: the object's key, which its identifier decides: known only when all fields are read.
    mutating func end(key: Int64) -> Bool {
        let isRejected = diagnostics.contains { $0.severity == .error }
        for waiting in postponed {
            references.postpone(
                waiting.relationship, entity: waiting.entity, owner: key, tracked: waiting.tracked,
                key: waiting.key, place: waiting.place, field: waiting.field, isRejected: isRejected)
        }
        return isRejected
    }

    /// Takes the record's own identifier; NULL and the empty text are none. False for what cannot be one.
    mutating func setIdentifier(_ text: UnsafeBufferPointer<UInt8>, _ field: Record.Field) -> Bool {
        if field.kind == .null || text.isEmpty && field.kind != .emptyList { return true }
        guard !field.isElement, field.kind == .quoted || field.kind == .text, identifier.isEmpty else { return false }
        KeyBytes.append(text: text, to: &identifier)
        return true
    }

    func find(tracked: Int?) -> KeyIndex.Entry? {
        tracked.map { keys.tracked[$0].index.find(key) } ?? references.identifiers.find(key)
    }

    /// Keeps a reference until all objects are known, with the place of its field.
    mutating func postpone(
        _ relationship: Schema.Relationship, tracked: Int?, entity: Int, _ record: borrowing Record,
        _ field: Record.Field, column: String?
    ) {
        let position = record.position(of: field, file: "", &cursor)
        var fieldPlace = place
        fieldPlace.line = position.line
        fieldPlace.column = position.column
        fieldPlace.byteOffset = position.byteOffset ?? -1
        postponed.append(
            Postponed(
                relationship: relationship, tracked: tracked, entity: entity, key: key, place: fieldPlace, field: column
            ))
    }

    mutating func report(
        _ violations: [Violation], _ record: borrowing Record, _ field: Record.Field, column: String, entity: String,
        property: String, text: UnsafeBufferPointer<UInt8>
    ) {
        let position = record.position(of: field, file: file, &cursor)
        let value = field.kind == .null ? nil : Diagnostic.shortened(String(decoding: text, as: UTF8.self))
        add(violations, at: position, column: column, entity: entity, property: property, value: value)
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
                    value: value, coreDataCode: violation.coreDataCode))
        }
    }
}
