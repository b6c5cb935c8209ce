import GranaryBase
import GranaryPropertyLists

/// Converts the events of one dictionary to a record's fields.
struct PropertyListRecordParser {
    var columns = ColumnTable()
    /// The first mistake in the last record, whose end was found.
    private(set) var problem: Diagnostic?
    let options: PropertyListReader.Options
    /// The open dictionaries inside the current record.
    var objects = NestedObjects()
    private var sourceName = ""
    /// The number of fields that the record itself may have: the limit minus the fields of nested dictionaries.
    private var fieldLimit = 0
    /// The positions of the current record's keys.
    private var keyPlaces: [PropertyListPlace] = []

    init(options: PropertyListReader.Options) {
        self.options = options
    }

    /// Parses the value that begins with `first`.
    ///
    /// - Throws: ``GranaryError`` if the list ends or is malformed in it. Other mistakes are in ``problem``.
    mutating func parse(
        _ first: PropertyListStep, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        problem = nil
        sourceName = steps.sourceName
        fieldLimit = options.maximumFields
        columns.beginRecord()
        keyPlaces.removeAll(keepingCapacity: true)
        guard first.event == .beginDictionary else {
            note(.plistSyntax, "expected a dictionary for a record", first.place)
            return try skip(first, &steps)
        }
        var previous: Int32 = -1
        while let step = try steps.next() {
            guard case .key(let name) = step.event else { return }
            guard let value = try steps.next() else { return }
            if name.utf8.elementsEqual("$null".utf8) {
                try parseNulls(value, after: &previous, &steps, into: &record)
                continue
            }
            let column = try meet(name, after: previous, step.place)
            try parseMember(value, column: column, &steps, into: &record)
            previous = column
        }
    }

    /// The column of a key of the record or of the innermost open dictionary.
    mutating func meet(
        _ name: String, after previous: Int32, _ place: PropertyListPlace
    ) throws(GranaryError) -> Int32 {
        var name = name
        let found = name.withUTF8 { bytes -> Int32? in
            let guess = columns.guess(after: previous)
            if guess >= 0, columns.isName(guess, bytes) { return guess }
            return columns.column(of: bytes, after: previous, limit: options.maximumColumns)
        }
        guard let column = found else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "more than \(options.maximumColumns) different keys, the limit",
                    at: place.position(in: sourceName)))
        }
        if !options.allowsNUL, name.utf8.contains(0) {
            note(.encodingInvalid, "U+0000 inside a key", place, help: "--allow-nul")
        }
        let met =
            objects.isEmpty
            ? columns.meet(column, at: keyPlaces.count) : columns.meetInside(column, at: keyPlaces.count)
        if let first = met, keyPlaces.indices.contains(first) {
            note(
                .headerDuplicate, "the key \"\(Diagnostic.shortened(name))\" occurs twice in one dictionary", place,
                field: name, related: [keyPlaces[first].position(in: sourceName)])
        }
        // A record with a problem can have any number of keys.
        if problem == nil { keyPlaces.append(place) }
        return column
    }

    private mutating func parseMember(
        _ first: PropertyListStep, column: Int32, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        guard first.event == .beginArray else {
            return try parseValue(first, column: column, isElement: false, &steps, into: &record)
        }
        var isEmpty = true
        while let step = try steps.next(), step.event != .endArray {
            isEmpty = false
            try parseValue(step, column: column, isElement: true, &steps, into: &record)
        }
        if isEmpty { append(.emptyList, column: column, start: record.bytes.count, first.place, to: &record) }
    }

    /// Parses one value that is not a key's array.
    mutating func parseValue(
        _ step: PropertyListStep, column: Int32, isElement: Bool, _ steps: inout PropertyListSteps,
        into record: inout Record
    ) throws(GranaryError) {
        let start = record.bytes.count
        let kind: Record.Kind
        switch step.event {
        case .string(var text):
            text.withUTF8 { record.bytes.append(contentsOf: $0) }
            if !options.allowsNUL, text.utf8.contains(0) {
                note(.encodingInvalid, "U+0000 inside text", step.place, field: name(column), help: "--allow-nul")
            }
            kind = .quoted
        case .integer(let value):
            IntegerText.append(value, to: &record.bytes)
            kind = .number
        case .unsigned(let value):
            record.bytes.append(contentsOf: value.description.utf8)
            kind = .number
        case .real(let value, let digits):
            // All digits are kept; the attribute's type decides how to round them.
            if let digits {
                record.bytes.append(contentsOf: digits)
            } else {
                FloatingText.append(value, to: &record.bytes)
            }
            kind = .number
        case .boolean(let value):
            record.bytes.append(contentsOf: (value ? "true" : "false").utf8)
            kind = .boolean
        case .date(let value):
            FloatingText.append(value, to: &record.bytes)
            kind = .date
        case .data(let bytes):
            bytes.withUnsafeBufferPointer { Base64Text.encode($0, into: &record.bytes) }
            kind = .data
        case .beginDictionary:
            return try parseObject(step, column: column, isElement: isElement, &steps, into: &record)
        case .beginArray:
            try parseListText(step, column: column, &steps, into: &record.bytes)
            kind = .array
        default:
            note(
                .valueSyntax, "a keyed archive's reference inside a record, which can contain only values", step.place,
                field: name(column))
            return try skip(step, &steps)
        }
        append(kind, column: column, start: start, step.place, isElement: isElement, to: &record)
    }

    /// Parses `$null`, the names of the columns that are NULL.
    mutating func parseNulls(
        _ first: PropertyListStep, after previous: inout Int32, _ steps: inout PropertyListSteps,
        into record: inout Record
    ) throws(GranaryError) {
        guard first.event == .beginArray else {
            note(.plistSyntax, "$null must be an array of the columns that are NULL", first.place)
            return try skip(first, &steps)
        }
        while let step = try steps.next(), step.event != .endArray {
            guard case .string(let name) = step.event else {
                note(.plistSyntax, "$null must be an array of the columns that are NULL", step.place)
                try skip(step, &steps)
                continue
            }
            let column = try meet(name, after: previous, step.place)
            previous = column
            append(.null, column: column, start: record.bytes.count, step.place, to: &record)
        }
    }

    /// Adds a field to the innermost open dictionary, or to the record if none is open.
    mutating func append(
        _ kind: Record.Kind, column: Int32, start: Int, _ place: PropertyListPlace, isElement: Bool = false,
        to record: inout Record
    ) {
        let isObject = kind == .object
        guard record.fields.count < fieldLimit else {
            if !isObject { record.bytes.removeSubrange(start...) }
            return note(.limitExceeded, "a record of more than \(options.maximumFields) values, the limit", place)
        }
        guard isObject || record.bytes.count <= min(options.maximumRecordBytes, Int(Int32.max)) else {
            record.bytes.removeSubrange(start...)
            return note(
                .limitExceeded, "a record of more than \(options.maximumRecordBytes) bytes, the limit", place,
                field: name(column))
        }
        let field = Record.Field(
            kind: kind, column: column, start: Int32(truncatingIfNeeded: start),
            end: Int32(truncatingIfNeeded: isObject ? start : record.bytes.count),
            rawStart: Int32(truncatingIfNeeded: record.places.count), isElement: isElement)
        if objects.isEmpty {
            record.fields.append(field)
        } else {
            objects.append(field)
            fieldLimit -= 1
        }
        record.places.append(
            Record.Place(line: place.line, column: place.column, byteOffset: place.byteOffset))
    }

    /// Skips the rest of the value that begins with `first`.
    func skip(_ first: PropertyListStep, _ steps: inout PropertyListSteps) throws(GranaryError) {
        var depth = 0
        var step: PropertyListStep? = first
        while let current = step {
            switch current.event {
            case .beginArray, .beginDictionary: depth += 1
            case .endArray, .endDictionary: depth -= 1
            default: break
            }
            if depth <= 0 { return }
            step = try steps.next()
        }
    }

    mutating func note(
        _ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace, field: String? = nil,
        related: [SourcePosition] = [], help: String? = nil
    ) {
        guard problem == nil else { return }
        problem = Diagnostic(
            code, message, at: place.position(in: sourceName), field: field, related: related, help: help)
    }

    func name(_ column: Int32) -> String? {
        columns.names.indices.contains(Int(column)) ? columns.names[Int(column)] : nil
    }
}
