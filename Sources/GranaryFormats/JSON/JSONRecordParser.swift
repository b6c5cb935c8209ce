/// Parses one JSON object into a record's fields, in one pass over its bytes.
///
/// One loop handles the values of all depths, so depth costs no stack.
struct JSONRecordParser {
    /// A mistake in a record whose end was found.
    enum Problem {
        case fault(JSONFault, field: String?)
        case duplicate(name: String, first: Int, second: Int)

        var offset: Int {
            switch self {
            case .fault(let fault, _): fault.offset
            case .duplicate(_, _, let second): second
            }
        }
    }

    private(set) var assembler = RecordAssembler()
    /// The first problem of the last record.
    private(set) var problem: Problem?
    /// Which members hold JSON values.
    var contents = MemberContents()
    private let limits: JSONReader.Options
    /// A buffer for a member's name, or for a string inside a list in a list.
    private var scratch: [UInt8] = []

    init(limits: JSONReader.Options) {
        self.limits = limits
    }

    /// Parses the object whose opening brace is the cursor's first byte, and leaves the cursor after its end.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    /// - Throws: ``JSONFault`` if the object's end cannot be found. Other mistakes are in ``problem``.
    mutating func parse(_ cursor: inout JSONCursor, depth: Int, into record: inout Record) throws(JSONFault) {
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: cursor.position) }
        var depth = depth + 1
        record.bytes.removeAll(keepingCapacity: true)
        record.removeFields()
        problem = nil
        cursor.problem = nil
        assembler.begin(maximumFields: limits.maximumFields, kind: contents.recordKind)
        cursor.position += 1
        if try cursor.token() == UInt8(ascii: "}") {
            cursor.position += 1
            return
        }
        values: while true {
            if !assembler.level.isInList { try parseName(&cursor) }
            let byte = try cursor.current()
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                if try beginContainer(&cursor, byte, depth: &depth, into: &record) { continue values }
            } else {
                let start = cursor.position
                let textStart = record.bytes.count
                let kind = try parseScalar(&cursor, byte, into: &record.bytes)
                add(kind, start: textStart, rawStart: start, to: &record)
            }
            if let fault = cursor.problem, problem == nil { note(.fault(fault, field: assembler.memberName)) }
            // After a value: the next value, or the ends of open objects and lists.
            while true {
                let byte = try cursor.token()
                let isInList = assembler.level.isInList
                if byte == UInt8(ascii: ",") {
                    cursor.position += 1
                    try cursor.refuseTrailingComma()
                    continue values
                }
                guard byte == (isInList ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
                    throw cursor.unexpected(isInList ? .expectedCommaOrBracket : .expectedCommaOrBrace)
                }
                cursor.position += 1
                depth -= 1
                if isInList {
                    assembler.level.isInList = false
                } else if assembler.isNested {
                    assembler.endObject(in: &record)
                } else {
                    return flatten(&record)
                }
            }
        }
    }

    /// Moves members of objects into the objects around them, as the guide says.
    private mutating func flatten(_ record: inout Record) {
        guard contents.hasPaths, problem == nil else { return }
        switch assembler.flatten(&record, &contents, limit: limits.maximumColumns) {
        case nil: break
        case .tooMany: note(.fault(JSONFault(.tooManyColumns, at: 0), field: nil))
        case .duplicate(let name, let first, let second):
            note(.duplicate(name: name, first: Int(first), second: Int(second)))
        }
    }

    /// Adds a record's name as its first field.
    mutating func add(name: [UInt8], column: String, to record: inout Record) -> RecordAssembler.NameProblem? {
        assembler.add(name: name, column: column, rawStart: 0, limit: limits.maximumColumns, to: &record)
    }

    /// Parses a member's name and the colon after it.
    @inline(__always)
    private mutating func parseName(_ cursor: inout JSONCursor) throws(JSONFault) {
        guard try cursor.current() == UInt8(ascii: "\"") else { throw cursor.unexpected(.expectedName) }
        let start = cursor.position
        var column = assembler.columns.guess(after: assembler.level.column)
        if let length = assembler.columns.plainLength(of: column, in: cursor.bytes, at: start + 1) {
            cursor.position = start + length + 2
        } else {
            column = try parseOtherName(&cursor)
        }
        if let first = assembler.beginMember(column, at: start) {
            note(.duplicate(name: assembler.memberName ?? "", first: first, second: start))
        }
        try cursor.skipColon()
    }

    /// The column of a member name that the columns did not guess, or that has escapes; −1 if it is invalid text.
    @inline(never)
    private mutating func parseOtherName(_ cursor: inout JSONCursor) throws(JSONFault) -> Int32 {
        let start = cursor.position
        scratch.removeAll(keepingCapacity: true)
        try cursor.scanString(into: &scratch)
        if cursor.problem != nil { return -1 }
        let column = scratch.withUnsafeBufferPointer { name in
            assembler.columns.column(of: name, after: assembler.level.column, limit: limits.maximumColumns)
        }
        guard let column else { throw JSONFault(.tooManyColumns, at: start) }
        return column
    }

    /// Parses a string, a number, `true`, `false` or `null` and appends its text to `bytes`.
    @inline(__always)
    private func parseScalar(
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

    /// Opens the object or list that begins here, or parses it whole if it is one value or is not needed.
    ///
    /// - Parameter depth: how many objects and arrays are open around it, and then around the next value.
    /// - Returns: whether a value inside it follows.
    @inline(never)
    private mutating func beginContainer(
        _ cursor: inout JSONCursor, _ byte: UInt8, depth: inout Int, into record: inout Record
    ) throws(JSONFault) -> Bool {
        let start = cursor.position
        let textStart = record.bytes.count
        let level = assembler.level
        let content = assembler.content(&contents, in: record)
        if content == .json {
            // The text stays as it is in the source.
            try cursor.skipValue(depth: depth)
            if cursor.position - start <= limits.maximumFieldBytes {
                record.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
            } else {
                cursor.note(.nestedTooLong, at: start)
            }
            add(.json, start: textStart, rawStart: start, to: &record)
            return false
        }
        if byte == UInt8(ascii: "["), level.isInList {
            try parseListText(&cursor, depth: depth, into: &record.bytes)
            add(.array, start: textStart, rawStart: start, to: &record)
            return false
        }
        // The content of a rejected record is not needed.
        if byte == UInt8(ascii: "{"), problem != nil || cursor.problem != nil {
            try cursor.skipValue(depth: depth)
            return false
        }
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: start) }
        cursor.position += 1
        let next = try cursor.token()
        if byte == UInt8(ascii: "["), next == UInt8(ascii: "]") {
            cursor.position += 1
            add(.emptyList, start: textStart, rawStart: start, to: &record)
            return false
        }
        depth += 1
        if byte == UInt8(ascii: "[") {
            assembler.beginList(in: record)
            return true
        }
        let kind = content.kind
        add(.object, start: record.nested.count, rawStart: start, to: &record)
        assembler.beginObject(rawStart: start, kind: kind, in: &record)
        return next != UInt8(ascii: "}")
    }

    /// Parses a list that is an element of a list, and appends its JSON text without white space to `bytes`.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    private mutating func parseListText(
        _ cursor: inout JSONCursor, depth: Int, into bytes: inout [UInt8]
    ) throws(JSONFault) {
        var openCount = 0
        values: while true {
            let byte = try cursor.token()
            let start = cursor.position
            switch byte {
            case UInt8(ascii: "["):
                guard depth + openCount < limits.maximumDepth else { throw JSONFault(.tooDeep, at: start) }
                cursor.position += 1
                openCount += 1
                bytes.append(byte)
                if try cursor.token() != UInt8(ascii: "]") { continue values }
            case UInt8(ascii: "{"):
                cursor.note(.objectInKey, at: start)
                try cursor.skipValue(depth: depth + openCount)
            case UInt8(ascii: "\""):
                scratch.removeAll(keepingCapacity: true)
                try cursor.scanString(into: &scratch)
                scratch.withUnsafeBufferPointer { JSONText.append($0, to: &bytes) }
            default:
                try cursor.skipScalar(byte)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
            }
            while openCount > 0 {
                let byte = try cursor.token()
                guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
                    throw cursor.unexpected(.expectedCommaOrBracket)
                }
                cursor.position += 1
                bytes.append(byte)
                if byte == UInt8(ascii: ",") {
                    try cursor.refuseTrailingComma()
                    continue values
                }
                openCount -= 1
            }
            return
        }
    }

    @inline(__always)
    private mutating func add(_ kind: Record.Kind, start: Int, rawStart: Int, to record: inout Record) {
        guard !assembler.isFull(record) else {
            return note(.fault(JSONFault(.tooManyFields, at: rawStart), field: assembler.memberName))
        }
        assembler.append(kind, start: start, rawStart: rawStart, to: &record)
    }

    private mutating func note(_ new: Problem) {
        if problem == nil { problem = new }
    }
}
