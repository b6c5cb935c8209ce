/// Parses one JSON object into a record's fields, in one pass over its bytes.
struct JSONRecordParser {
    /// A mistake in a record whose end was found.
    enum Problem {
        case fault(JSONFault, field: String?)
        case duplicate(column: Int32, first: Int, second: Int)

        var offset: Int {
            switch self {
            case .fault(let fault, _): fault.offset
            case .duplicate(_, _, let second): second
            }
        }
    }

    var columns = ColumnTable()
    /// The first problem of the last record.
    var problem: Problem?
    let limits: JSONReader.Options
    /// A buffer for a member's name, or for a string inside a list in a list.
    var scratch: [UInt8] = []
    /// The open objects inside the current record.
    var objects = NestedObjects()
    /// Which members hold JSON values.
    var contents = MemberContents()
    /// The number of fields that the record itself may have: the limit minus the fields of nested objects.
    var fieldLimit = 0

    init(limits: JSONReader.Options) {
        self.limits = limits
    }

    /// Parses the object whose opening brace is the cursor's first byte, and leaves the cursor after its end.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    /// - Throws: ``JSONFault`` if the object's end cannot be found. Other mistakes are in ``problem``.
    mutating func parse(_ cursor: inout JSONCursor, depth: Int, into record: inout Record) throws(JSONFault) {
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: cursor.position) }
        record.bytes.removeAll(keepingCapacity: true)
        record.removeFields()
        problem = nil
        fieldLimit = limits.maximumFields
        cursor.problem = nil
        columns.beginRecord()
        cursor.position += 1
        if try cursor.token() == UInt8(ascii: "}") {
            cursor.position += 1
            return
        }
        var previous: Int32 = -1
        while true {
            guard try cursor.current() == UInt8(ascii: "\"") else { throw cursor.unexpected(.expectedName) }
            let column = try parseName(&cursor, after: previous)
            try cursor.skipColon()
            try parseMember(&cursor, column: column, depth: depth + 1, into: &record)
            if let fault = cursor.problem, problem == nil { note(.fault(fault, field: fieldName(column))) }
            previous = column
            let byte = try cursor.token()
            if byte == UInt8(ascii: ",") {
                cursor.position += 1
                try cursor.refuseTrailingComma()
            } else if byte == UInt8(ascii: "}") {
                cursor.position += 1
                return
            } else {
                throw cursor.unexpected(.expectedCommaOrBrace)
            }
        }
    }

    /// The column of the member name that begins here; −1 if the name is invalid text.
    ///
    /// - Parameter isInside: whether it is a member of a nested object.
    @inline(__always)
    mutating func parseName(
        _ cursor: inout JSONCursor, after previous: Int32, isInside: Bool = false
    ) throws(JSONFault) -> Int32 {
        let start = cursor.position
        let guess = columns.guess(after: previous)
        let column: Int32
        if let length = columns.plainLength(of: guess, in: cursor.bytes, at: start + 1) {
            cursor.position = start + length + 2
            column = guess
        } else {
            scratch.removeAll(keepingCapacity: true)
            try cursor.scanString(into: &scratch)
            if cursor.problem != nil { return -1 }
            let found = scratch.withUnsafeBufferPointer { name in
                columns.column(of: name, after: previous, limit: limits.maximumColumns)
            }
            guard let found else { throw JSONFault(.tooManyColumns, at: start) }
            column = found
        }
        if let first = isInside ? columns.meetInside(column, at: start) : columns.meet(column, at: start) {
            note(.duplicate(column: column, first: first, second: start))
        }
        return column
    }

    @inline(__always)
    private mutating func parseMember(
        _ cursor: inout JSONCursor, column: Int32, depth: Int, into record: inout Record
    ) throws(JSONFault) {
        let byte = try cursor.current()
        if contents.guide != nil, byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"),
            contents.content(of: column, kind: contents.recordKind, columns) == .json
        {
            let (start, textStart) = (cursor.position, record.bytes.count)
            try scanJSON(&cursor, depth: depth, into: &record.bytes)
            return append(.json, column: column, start: textStart, rawStart: start, to: &record)
        }
        guard byte == UInt8(ascii: "[") else {
            return try parseValue(&cursor, byte, column: column, depth: depth, isElement: false, &record)
        }
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: cursor.position) }
        let start = cursor.position
        cursor.position += 1
        if try cursor.token() == UInt8(ascii: "]") {
            cursor.position += 1
            append(.emptyList, column: column, start: record.bytes.count, rawStart: start, to: &record)
            return
        }
        while true {
            try parseValue(
                &cursor, try cursor.token(), column: column, depth: depth + 1, isElement: true, &record)
            let byte = try cursor.token()
            if byte == UInt8(ascii: ",") {
                cursor.position += 1
                try cursor.refuseTrailingComma()
            } else if byte == UInt8(ascii: "]") {
                cursor.position += 1
                return
            } else {
                throw cursor.unexpected(.expectedCommaOrBracket)
            }
        }
    }

    /// Parses one value that is not a member's list.
    @inline(__always)
    private mutating func parseValue(
        _ cursor: inout JSONCursor, _ byte: UInt8, column: Int32, depth: Int, isElement: Bool,
        _ record: inout Record
    ) throws(JSONFault) {
        let start = cursor.position
        let textStart = record.bytes.count
        let kind: Record.Kind
        switch byte {
        case UInt8(ascii: "{"):
            return try parseObject(&cursor, column: column, depth: depth, isElement: isElement, into: &record)
        case UInt8(ascii: "["):
            try parseListText(&cursor, depth: depth, into: &record.bytes)
            kind = .array
        default: kind = try parseScalar(&cursor, byte, into: &record.bytes)
        }
        append(kind, column: column, start: textStart, rawStart: start, isElement: isElement, to: &record)
    }

    /// Parses a string, a number, `true`, `false` or `null` and appends its text to `bytes`.
    @inline(__always)
    func parseScalar(
        _ cursor: inout JSONCursor, _ byte: UInt8, into bytes: inout [UInt8]
    ) throws(JSONFault) -> Record.Kind {
        if byte == UInt8(ascii: "\"") {
            try cursor.scanString(into: &bytes)
            return .quoted
        }
        let start = cursor.position
        try cursor.skipScalar(byte)
        let kind: Record.Kind =
            switch byte {
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            case UInt8(ascii: "n"): .null
            default: .number
            }
        if kind != .null {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
        }
        return kind
    }

    @inline(__always)
    private mutating func append(
        _ kind: Record.Kind, column: Int32, start: Int, rawStart: Int, isElement: Bool = false,
        to record: inout Record
    ) {
        guard record.fields.count < fieldLimit else {
            return note(.fault(JSONFault(.tooManyFields, at: rawStart), field: fieldName(column)))
        }
        // A record's bytes are fewer than its source bytes, which the reader keeps below 2 GiB.
        record.fields.append(
            Record.Field(
                kind: kind, column: column, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: record.bytes.count), rawStart: Int32(truncatingIfNeeded: rawStart),
                isElement: isElement))
    }

    mutating func note(_ new: Problem) {
        if problem == nil { problem = new }
    }

    func fieldName(_ column: Int32) -> String? {
        column >= 0 && Int(column) < columns.names.count ? columns.names[Int(column)] : nil
    }
}
