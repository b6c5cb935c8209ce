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
        /// The number of the object's fields before the list.
        fileprivate var listStart = 0
    }

    var columns = ColumnTable()
    private var flattener = PathFlattener()
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

    /// Opens a list in the current member.
    @inline(__always)
    mutating func beginList(in record: borrowing Record) {
        level.isInList = true
        level.listStart = isNested ? fields.count : record.fields.count
    }

    /// The meaning of the next value: that of the current member, or of an element of its list.
    mutating func content(_ contents: inout MemberContents, in record: borrowing Record) -> MemberContent {
        guard contents.guide != nil else { return .objects(kind: -1) }
        let content = contents.content(of: level.column, kind: level.kind, columns)
        guard level.isInList else { return content }
        switch content {
        case .objects: return content
        // The guide means the list as a whole.
        case .json: return .objects(kind: -1)
        case .columns(let kind):
            return contents.content(
                ofElement: (isNested ? fields.count : record.fields.count) - level.listStart, inside: kind)
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

extension RecordAssembler {
    /// Moves members of objects into the objects around them, as a guide says.
    mutating func flatten(
        _ record: inout Record, _ contents: inout MemberContents, limit: Int
    ) -> PathFlattener.Problem? {
        guard contents.hasPaths else { return nil }
        return flattener.flatten(&record, &columns, &contents, limit: limit)
    }
}

/// Records that are members of an object, whose names are values of a column.
extension RecordAssembler {
    /// Why a record's name cannot be a field of it.
    enum NameProblem {
        /// The source has too many columns.
        case tooMany
        /// The record has another value in the column, at this offset.
        case differs(Int)
    }

    /// Adds a record's name as its first field, unless the record has the same value in the column.
    ///
    /// - Parameter rawStart: the place of the name, see ``Record/Field/rawStart``.
    mutating func add(
        name: [UInt8], column: String, rawStart: Int, limit: Int, to record: inout Record
    ) -> NameProblem? {
        var column = column
        guard let index = column.withUTF8({ columns.add($0, limit: limit) }) else { return .tooMany }
        if let other = record.fields.first(where: { $0.column == index }) {
            let isSame =
                !other.isElement && (other.kind == .quoted || other.kind == .number)
                && record.bytes[other.range].elementsEqual(name)
            return isSame ? nil : .differs(Int(other.rawStart))
        }
        let start = record.bytes.count
        guard name.count <= Int(Int32.max) - start else { return .tooMany }
        record.bytes.append(contentsOf: name)
        record.fields.insert(
            Record.Field(
                kind: .quoted, column: index, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: record.bytes.count),
                rawStart: Int32(truncatingIfNeeded: rawStart)), at: 0)
        return nil
    }
}
