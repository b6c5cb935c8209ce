/// Turns one JSON object into a record's fields, in one pass over its bytes.
struct JSONRecordParser {
    /// What is wrong with a record whose end was found all the same.
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

    private(set) var columns = ColumnTable()
    /// The first problem of the record parsed last.
    private(set) var problem: Problem?
    private let limits: JSONReader.Options
    private var name: [UInt8] = []

    init(limits: JSONReader.Options) {
        self.limits = limits
    }

    /// Parses the object whose opening brace is the cursor's first byte, and leaves the cursor behind its end.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    /// - Throws: ``JSONFault`` where the object's end cannot be found. What else is wrong is in ``problem``.
    mutating func parse(_ cursor: inout JSONCursor, depth: Int, into record: inout Record) throws(JSONFault) {
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: cursor.position) }
        record.bytes.removeAll(keepingCapacity: true)
        record.fields.removeAll(keepingCapacity: true)
        problem = nil
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

    /// The column of the member name that begins here; −1 where the name is no text.
    @inline(__always)
    private mutating func parseName(_ cursor: inout JSONCursor, after previous: Int32) throws(JSONFault) -> Int32 {
        let start = cursor.position
        let guess = columns.guess(after: previous)
        let column: Int32
        if let length = columns.plainLength(of: guess, in: cursor.bytes, at: start + 1) {
            cursor.position = start + length + 2
            column = guess
        } else {
            name.removeAll(keepingCapacity: true)
            try cursor.scanString(into: &name)
            if cursor.problem != nil { return -1 }
            let found = name.withUnsafeBufferPointer { name in
                columns.column(of: name, after: previous, limit: limits.maximumColumns)
            }
            guard let found else { throw JSONFault(.tooManyColumns, at: start) }
            column = found
        }
        if let first = columns.meet(column, at: start) {
            note(.duplicate(column: column, first: first, second: start))
        }
        return column
    }

    @inline(__always)
    private mutating func parseMember(
        _ cursor: inout JSONCursor, column: Int32, depth: Int, into record: inout Record
    ) throws(JSONFault) {
        let byte = try cursor.current()
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

    /// Parses one scalar. An object or a list is skipped and noted: records inside records are not read yet, and
    /// this is where they would branch off.
    @inline(__always)
    private mutating func parseValue(
        _ cursor: inout JSONCursor, _ byte: UInt8, column: Int32, depth: Int, isElement: Bool,
        _ record: inout Record
    ) throws(JSONFault) {
        let start = cursor.position
        let textStart = record.bytes.count
        let kind: Record.Kind
        switch byte {
        case UInt8(ascii: "\""):
            try cursor.scanString(into: &record.bytes)
            kind = .quoted
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if cursor.problem == nil { cursor.problem = JSONFault(.nested, at: start) }
            return try cursor.skipValue(depth: depth)
        default:
            try cursor.skipScalar(byte)
            switch byte {
            case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .boolean
            case UInt8(ascii: "n"): kind = .null
            default: kind = .number
            }
            if kind != .null {
                record.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
            }
        }
        append(kind, column: column, start: textStart, rawStart: start, isElement: isElement, to: &record)
    }

    @inline(__always)
    private mutating func append(
        _ kind: Record.Kind, column: Int32, start: Int, rawStart: Int, isElement: Bool = false,
        to record: inout Record
    ) {
        guard record.fields.count < limits.maximumFields else {
            return note(.fault(JSONFault(.tooManyFields, at: rawStart), field: fieldName(column)))
        }
        // A record's bytes are fewer than its source's, which the reader keeps below 2 GiB.
        record.fields.append(
            Record.Field(
                kind: kind, column: column, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: record.bytes.count), rawStart: Int32(truncatingIfNeeded: rawStart),
                isElement: isElement))
    }

    private mutating func note(_ new: Problem) {
        if problem == nil { problem = new }
    }

    func fieldName(_ column: Int32) -> String? {
        column >= 0 && Int(column) < columns.names.count ? columns.names[Int(column)] : nil
    }
}
