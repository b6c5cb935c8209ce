/// Assembles a record from the parts of an object in the order of the source: members, values, lists and objects.
///
/// A reader reports every part in the same way, whether it belongs to the record itself or to an object nested in it.
/// Open objects are kept in a list, so depth costs no stack. A nested object's fields are appended to the record when
/// the object ends, after the fields of objects nested in it, so the fields of one object are contiguous.
struct RecordAssembler {
    /// An open object: the record itself, or an object nested in it.
    struct Level {
        /// Its index in ``Record/nested``; −1 for the record itself.
        fileprivate var index: Int32 = -1
        fileprivate var fieldsStart = 0
        fileprivate var surroundings: ColumnTable.Surroundings?
        /// The guide's kind of the object; −1 if unknown.
        fileprivate(set) var kind: Int32 = -1
        /// The current member; −1 before the record's first member and if the member's name is invalid,
        /// ``ColumnTable/start(inside:)`` before a nested object's first member.
        fileprivate(set) var column: Int32 = -1
        /// Whether a list is open in that member.
        var isInList = false
    }

    var columns = ColumnTable()
    /// The innermost open object.
    var level = Level()
    /// The objects around it, the record first.
    private var around: [Level] = []
    /// The fields of all open nested objects, with the innermost object's fields last.
    private var fields: [Record.Field] = []
    /// The number of fields that the record itself may have: the limit minus the fields of nested objects.
    private var fieldLimit = 0

    /// Whether the innermost object is not the record itself.
    var isNested: Bool { level.index >= 0 }

    /// The name of the current member; nil if it is invalid.
    var memberName: String? {
        columns.names.indices.contains(Int(level.column)) ? columns.names[Int(level.column)] : nil
    }

    /// Starts a record, and discards the parts of an aborted one.
    mutating func begin(maximumFields: Int, kind: Int32 = -1) {
        columns.beginRecord()
        fieldLimit = maximumFields
        level = Level(kind: kind)
        if !around.isEmpty { around.removeAll(keepingCapacity: true) }
        if !fields.isEmpty { fields.removeAll(keepingCapacity: true) }
    }

    /// Starts a member of the innermost object.
    ///
    /// - Parameters:
    ///   - column: its column; −1 if its name is invalid.
    ///   - offset: the position of its name.
    /// - Returns: the position of its earlier occurrence in the same object, if any.
    @inline(__always)
    mutating func beginMember(_ column: Int32, at offset: Int) -> Int? {
        level.column = column
        guard column >= 0 else { return nil }
        return isNested ? columns.meetInside(column, at: offset) : columns.meet(column, at: offset)
    }

    /// Whether the record has its maximum number of fields.
    @inline(__always)
    func isFull(_ record: borrowing Record) -> Bool { record.fields.count >= fieldLimit }

    /// Adds a value to the current member, or an element to its list.
    ///
    /// - Parameters:
    ///   - start: the beginning of its text, which is the end of the record's bytes, fewer than 2 GiB; for an object,
    ///     its index in ``Record/nested``.
    ///   - rawStart: see ``Record/Field/rawStart``.
    @inline(__always)
    mutating func append(_ kind: Record.Kind, start: Int, rawStart: Int, to record: inout Record) {
        let field = Record.Field(
            kind: kind, column: level.column, start: Int32(truncatingIfNeeded: start),
            end: Int32(truncatingIfNeeded: kind == .object ? start : record.bytes.count),
            rawStart: Int32(truncatingIfNeeded: rawStart), isElement: level.isInList)
        if isNested {
            fields.append(field)
            fieldLimit -= 1
        } else {
            record.fields.append(field)
        }
    }

    /// Opens an object in the current member. The caller has appended its field.
    mutating func beginObject(rawStart: Int, kind: Int32 = -1, in record: inout Record) {
        let index = Int32(truncatingIfNeeded: record.nested.count)
        record.nested.append(
            Record.Nested(
                parent: level.index, column: level.column, isElement: level.isInList, fieldsStart: 0, fieldsEnd: 0,
                rawStart: Int32(truncatingIfNeeded: rawStart)))
        around.append(level)
        level = Level(
            index: index, fieldsStart: fields.count, surroundings: columns.beginObject(), kind: kind,
            column: ColumnTable.start(inside: level.column))
    }

    /// Ends the innermost nested object.
    mutating func endObject(in record: inout Record) {
        guard let surroundings = level.surroundings, let outer = around.popLast() else { return }
        let index = Int(level.index)
        record.nested[index].fieldsStart = Int32(truncatingIfNeeded: record.nestedFields.count)
        record.nestedFields.append(contentsOf: fields[level.fieldsStart...])
        record.nested[index].fieldsEnd = Int32(truncatingIfNeeded: record.nestedFields.count)
        fields.removeLast(fields.count - level.fieldsStart)
        columns.endObject(surroundings)
        level = outer
    }
}
