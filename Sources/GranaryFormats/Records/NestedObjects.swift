/// Collects the objects nested in a record while a parser walks through them.
///
/// Open objects are kept in a list, so depth costs no stack. An object's fields are appended to the record when the
/// object ends, after the fields of objects nested in it, so the fields of one object are contiguous.
struct NestedObjects {
    private struct Open {
        let index: Int
        let fieldsStart: Int
        let around: ColumnTable.Surroundings
        /// The guide's kind of the object; -1 if unknown.
        let kind: Int32
        var column: Int32
        var isInList = false
    }

    private var open: [Open] = []
    /// The fields of all open objects, with the innermost object's fields last.
    private var fields: [Record.Field] = []

    /// Whether no object is open.
    var isEmpty: Bool { open.isEmpty }

    /// The current member of the innermost object: ``ColumnTable/start(inside:)`` before its first member, -1 if no
    /// object is open.
    var column: Int32 {
        get { open.last?.column ?? -1 }
        set { if !open.isEmpty { open[open.count - 1].column = newValue } }
    }

    /// The innermost object's kind; -1 if unknown.
    var kind: Int32 { open.last?.kind ?? -1 }

    /// Whether a list is open in that member.
    var isInList: Bool {
        get { open.last?.isInList ?? false }
        set { if !open.isEmpty { open[open.count - 1].isInList = newValue } }
    }

    /// Discards the objects and fields of an aborted walk.
    mutating func removeAll() {
        open.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
    }

    /// Adds a field to the innermost object.
    mutating func append(_ field: Record.Field) { fields.append(field) }

    /// Opens an object in `column` of the innermost one.
    mutating func begin(
        column: Int32, isElement: Bool, rawStart: Int32, kind: Int32 = -1, in record: inout Record,
        _ columns: inout ColumnTable
    ) {
        let parent = open.last?.index ?? -1
        open.append(
            Open(
                index: record.nested.count, fieldsStart: fields.count, around: columns.beginObject(), kind: kind,
                column: ColumnTable.start(inside: column)))
        record.nested.append(
            Record.Nested(
                parent: Int32(truncatingIfNeeded: parent), column: column, isElement: isElement, fieldsStart: 0,
                fieldsEnd: 0, rawStart: rawStart))
    }

    /// Ends the innermost object.
    mutating func end(in record: inout Record, _ columns: inout ColumnTable) {
        guard let ended = open.popLast() else { return }
        record.nested[ended.index].fieldsStart = Int32(truncatingIfNeeded: record.nestedFields.count)
        record.nestedFields.append(contentsOf: fields[ended.fieldsStart...])
        record.nested[ended.index].fieldsEnd = Int32(truncatingIfNeeded: record.nestedFields.count)
        fields.removeLast(fields.count - ended.fieldsStart)
        columns.endObject(ended.around)
    }
}
