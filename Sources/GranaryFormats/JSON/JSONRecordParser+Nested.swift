/// Objects nested in a record, and lists inside its lists. It is iterative, so depth costs no stack.
extension JSONRecordParser {
    /// Parses the nested object that begins here, with all objects inside it.
    ///
    /// - Parameters:
    ///   - column: the record's member that contains it.
    ///   - depth: how many objects and arrays are open around it.
    ///   - isElement: whether it is an element of the member's list.
    @inline(never)
    mutating func parseObject(
        _ cursor: inout JSONCursor, column: Int32, depth: Int, isElement: Bool, into record: inout Record
    ) throws(JSONFault) {
        objects.removeAll()
        var depth = depth
        values: while true {
            let byte = try cursor.token()
            let column = objects.isEmpty ? column : objects.column
            let isElement = objects.isEmpty ? isElement : objects.isInList
            let start = cursor.position
            let textStart = record.bytes.count
            switch byte {
            case UInt8(ascii: "{") where isJSON(column, isElement: isElement),
                UInt8(ascii: "[") where isJSON(column, isElement: isElement):
                try scanJSON(&cursor, depth: depth, into: &record.bytes)
                add(.json, column, start: textStart, rawStart: start, isElement: false, to: &record)
            case UInt8(ascii: "{"):
                // The content of a rejected record is not needed.
                guard problem == nil, cursor.problem == nil else {
                    try cursor.skipValue(depth: depth)
                    break
                }
                guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: start) }
                cursor.position += 1
                depth += 1
                begin(column: column, isElement: isElement, rawStart: start, in: &record)
                if try cursor.token() != UInt8(ascii: "}") {
                    try parseNameInside(&cursor)
                    continue values
                }
            case UInt8(ascii: "[") where isElement:
                try parseListText(&cursor, depth: depth, into: &record.bytes)
                add(.array, column, start: textStart, rawStart: start, isElement: true, to: &record)
            case UInt8(ascii: "["):
                guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, at: start) }
                cursor.position += 1
                if try cursor.token() != UInt8(ascii: "]") {
                    depth += 1
                    objects.isInList = true
                    continue values
                }
                cursor.position += 1
                add(.emptyList, column, start: textStart, rawStart: start, isElement: false, to: &record)
            default:
                let kind = try parseScalar(&cursor, byte, into: &record.bytes)
                add(kind, column, start: textStart, rawStart: start, isElement: isElement, to: &record)
            }
            if let fault = cursor.problem, problem == nil { note(.fault(fault, field: fieldName(column))) }
            // After a value: the next value, or the ends of open containers.
            while !objects.isEmpty {
                let byte = try cursor.token()
                let isInList = objects.isInList
                if byte == UInt8(ascii: ",") {
                    cursor.position += 1
                    try cursor.refuseTrailingComma()
                    if !isInList { try parseNameInside(&cursor) }
                    continue values
                }
                guard byte == (isInList ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
                    throw cursor.unexpected(isInList ? .expectedCommaOrBracket : .expectedCommaOrBrace)
                }
                cursor.position += 1
                depth -= 1
                if isInList { objects.isInList = false } else { objects.end(in: &record, &columns) }
            }
            return
        }
    }

    /// Whether an object or a list in the innermost open object is a JSON value. For the record's own members the
    /// caller has checked that.
    private mutating func isJSON(_ column: Int32, isElement: Bool) -> Bool {
        guard contents.guide != nil, !objects.isEmpty, !isElement else { return false }
        return contents.content(of: column, kind: objects.kind, columns) == .json
    }

    /// Checks the object or list that begins here, and appends its unchanged text to `bytes`.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    @inline(never)
    func scanJSON(_ cursor: inout JSONCursor, depth: Int, into bytes: inout [UInt8]) throws(JSONFault) {
        let start = cursor.position
        try cursor.skipValue(depth: depth)
        guard cursor.position - start <= limits.maximumFieldBytes else { return cursor.note(.nestedTooLong, at: start) }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
    }

    /// Parses a list that is an element of a list, and appends its JSON text without white space to `bytes`.
    ///
    /// - Parameter depth: how many objects and arrays are open around it.
    @inline(never)
    mutating func parseListText(
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

    private mutating func parseNameInside(_ cursor: inout JSONCursor) throws(JSONFault) {
        guard try cursor.current() == UInt8(ascii: "\"") else { throw cursor.unexpected(.expectedName) }
        let column = try parseName(&cursor, after: objects.column, isInside: true)
        try cursor.skipColon()
        objects.column = column
    }

    /// Opens an object and adds a field for it.
    private mutating func begin(column: Int32, isElement: Bool, rawStart: Int, in record: inout Record) {
        let index = record.nested.count
        var kind: Int32 = -1
        if contents.guide != nil {
            let around = objects.isEmpty ? contents.recordKind : objects.kind
            if case .objects(let found) = contents.content(of: column, kind: around, columns) { kind = found }
        }
        add(.object, column, start: index, end: index, rawStart: rawStart, isElement: isElement, to: &record)
        objects.begin(
            column: column, isElement: isElement, rawStart: Int32(truncatingIfNeeded: rawStart), kind: kind,
            in: &record, &columns)
    }

    /// Adds a field to the innermost object, or to the record if no object is open.
    private mutating func add(
        _ kind: Record.Kind, _ column: Int32, start: Int, end: Int? = nil, rawStart: Int, isElement: Bool,
        to record: inout Record
    ) {
        guard record.fields.count < fieldLimit else {
            return note(.fault(JSONFault(.tooManyFields, at: rawStart), field: fieldName(column)))
        }
        let field = Record.Field(
            kind: kind, column: column, start: Int32(truncatingIfNeeded: start),
            end: Int32(truncatingIfNeeded: end ?? record.bytes.count), rawStart: Int32(truncatingIfNeeded: rawStart),
            isElement: isElement)
        if objects.isEmpty {
            record.fields.append(field)
        } else {
            objects.append(field)
            fieldLimit -= 1
        }
    }
}
