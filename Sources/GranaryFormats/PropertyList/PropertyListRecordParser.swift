import GranaryBase
import GranaryPropertyLists

/// Converts the events of one dictionary to a record's fields.
///
/// One loop handles the values of all depths, so depth costs no stack.
struct PropertyListRecordParser {
    private(set) var assembler = RecordAssembler()
    /// The first mistake in the last record, whose end was found.
    private(set) var problem: Diagnostic?
    private let options: PropertyListReader.Options
    private var sourceName = ""
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
        assembler.begin(maximumFields: options.maximumFields)
        keyPlaces.removeAll(keepingCapacity: true)
        guard first.event == .beginDictionary else {
            note(.plistSyntax, "expected a dictionary for a record", first.place)
            return try skip(first, &steps)
        }
        // The beginning of an open array without elements.
        var emptyListPlace: PropertyListPlace?
        while let step = try steps.next() {
            switch step.event {
            case .key(let name) where name.utf8.elementsEqual("$null".utf8):
                guard let value = try steps.next() else { return }
                try parseNulls(value, &steps, into: &record)
            case .key(let name): try beginMember(name, step.place)
            case .endDictionary:
                guard assembler.isNested else { return }
                assembler.endObject(in: &record)
            case .beginArray where !assembler.level.isInList:
                assembler.level.isInList = true
                emptyListPlace = step.place
                continue
            case .endArray:
                assembler.level.isInList = false
                if let place = emptyListPlace { append(.emptyList, start: record.bytes.count, place, to: &record) }
            default: try parseValue(step, &steps, into: &record)
            }
            emptyListPlace = nil
        }
    }

    /// Starts a member of the record or of the innermost open dictionary.
    private mutating func beginMember(_ name: String, _ place: PropertyListPlace) throws(GranaryError) {
        var name = name
        let found = name.withUTF8 { bytes -> Int32? in
            let previous = assembler.level.column
            let guess = assembler.columns.guess(after: previous)
            if guess >= 0, assembler.columns.isName(guess, bytes) { return guess }
            return assembler.columns.column(of: bytes, after: previous, limit: options.maximumColumns)
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
        if let first = assembler.beginMember(column, at: keyPlaces.count), keyPlaces.indices.contains(first) {
            note(
                .headerDuplicate, "the key \"\(Diagnostic.shortened(name))\" occurs twice in one dictionary", place,
                field: name, related: [keyPlaces[first].position(in: sourceName)])
        }
        // A record with a problem can have any number of keys.
        if problem == nil { keyPlaces.append(place) }
    }

    /// Parses `$null`, the names of the columns that are NULL.
    private mutating func parseNulls(
        _ first: PropertyListStep, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        let mistake = "$null must be an array of the columns that are NULL"
        guard first.event == .beginArray else {
            note(.plistSyntax, mistake, first.place)
            return try skip(first, &steps)
        }
        while let step = try steps.next(), step.event != .endArray {
            guard case .string(let name) = step.event else {
                note(.plistSyntax, mistake, step.place)
                try skip(step, &steps)
                continue
            }
            try beginMember(name, step.place)
            append(.null, start: record.bytes.count, step.place, to: &record)
        }
    }

    /// Parses a value of the current member, or an element of its list. It opens a dictionary, and reads an array to
    /// its end.
    private mutating func parseValue(
        _ step: PropertyListStep, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        let start = record.bytes.count
        switch step.event {
        case .beginDictionary:
            // The content of a rejected record is not needed.
            guard problem == nil else { return try skip(step, &steps) }
            let rawStart = record.places.count
            append(.object, start: record.nested.count, step.place, to: &record)
            assembler.beginObject(rawStart: rawStart, in: &record)
        case .beginArray:
            try parseListText(step, &steps, into: &record.bytes)
            append(.array, start: start, step.place, to: &record)
        default:
            guard let kind = Self.appendText(of: step.event, to: &record.bytes) else {
                return note(
                    .valueSyntax, "a keyed archive's reference inside a record, which can contain only values",
                    step.place, field: assembler.memberName)
            }
            checkText(step)
            append(kind, start: start, step.place, to: &record)
        }
    }

    /// Parses an array that is an element of an array, and appends its JSON text without white space to `bytes`.
    private mutating func parseListText(
        _ first: PropertyListStep, _ steps: inout PropertyListSteps, into bytes: inout [UInt8]
    ) throws(GranaryError) {
        let start = bytes.count
        var openCount = 0
        var needsComma = false
        var step: PropertyListStep? = first
        while let current = step {
            if needsComma, current.event != .endArray { bytes.append(UInt8(ascii: ",")) }
            needsComma = current.event != .beginArray
            switch current.event {
            case .beginArray:
                bytes.append(UInt8(ascii: "["))
                openCount += 1
            case .endArray:
                bytes.append(UInt8(ascii: "]"))
                openCount -= 1
            case .string(let text):
                JSONText.append(text, to: &bytes)
                checkText(current)
            default:
                if let phrase = Self.phrase(current.event) {
                    note(
                        .valueSyntax,
                        "\(phrase) inside an array in an array; such an array is one key of several values: strings, "
                            + "finite numbers and Booleans",
                        current.place, field: assembler.memberName)
                    try skip(current, &steps)
                } else {
                    _ = Self.appendText(of: current.event, to: &bytes)
                }
            }
            if openCount == 0 { return }
            if bytes.count > options.maximumRecordBytes {
                note(
                    .limitExceeded, "a record of more than \(options.maximumRecordBytes) bytes, the limit",
                    current.place, field: assembler.memberName)
            }
            // The record is rejected, so the rest of the array is not kept.
            if problem != nil { bytes.removeSubrange(start...) }
            step = try steps.next()
        }
    }

    /// A name for a value that an array in an array cannot contain; nil for other values.
    private static func phrase(_ event: PropertyListEvent) -> String? {
        switch event {
        case .beginDictionary: "a dictionary"
        case .date: "a date"
        case .data: "data"
        case .real(let value, nil) where !value.isFinite: "a number that is not finite"
        case .uid: "a keyed archive's reference"
        default: nil
        }
    }

    /// Appends the text of a value to `bytes`.
    ///
    /// - Returns: the kind of its field; nil for a keyed archive's reference, and for arrays and dictionaries.
    private static func appendText(of event: PropertyListEvent, to bytes: inout [UInt8]) -> Record.Kind? {
        switch event {
        case .string(var text):
            text.withUTF8 { bytes.append(contentsOf: $0) }
            return .quoted
        case .integer(let value): IntegerText.append(value, to: &bytes)
        case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
        // All digits are kept; the attribute's type decides how to round them.
        case .real(_, let digits?): bytes.append(contentsOf: digits)
        case .real(let value, nil): FloatingText.append(value, to: &bytes)
        case .boolean(let value):
            bytes.append(contentsOf: (value ? "true" : "false").utf8)
            return .boolean
        case .date(let value):
            FloatingText.append(value, to: &bytes)
            return .date
        case .data(let data):
            data.withUnsafeBufferPointer { Base64Text.encode($0, into: &bytes) }
            return .data
        default: return nil
        }
        return .number
    }

    private mutating func checkText(_ step: PropertyListStep) {
        guard !options.allowsNUL, case .string(let text) = step.event, text.utf8.contains(0) else { return }
        note(
            .encodingInvalid, "U+0000 inside text", step.place, field: assembler.memberName, help: "--allow-nul")
    }

    private mutating func append(
        _ kind: Record.Kind, start: Int, _ place: PropertyListPlace, to record: inout Record
    ) {
        let isObject = kind == .object
        guard !assembler.isFull(record) else {
            if !isObject { record.bytes.removeSubrange(start...) }
            return note(.limitExceeded, "a record of more than \(options.maximumFields) values, the limit", place)
        }
        guard isObject || record.bytes.count <= min(options.maximumRecordBytes, Int(Int32.max)) else {
            record.bytes.removeSubrange(start...)
            return note(
                .limitExceeded, "a record of more than \(options.maximumRecordBytes) bytes, the limit", place,
                field: assembler.memberName)
        }
        assembler.append(kind, start: start, rawStart: record.places.count, to: &record)
        record.places.append(
            Record.Place(line: place.line, column: place.column, byteOffset: place.byteOffset))
    }

    /// Skips the rest of the value that begins with `first`.
    private func skip(_ first: PropertyListStep, _ steps: inout PropertyListSteps) throws(GranaryError) {
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

    private mutating func note(
        _ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace, field: String? = nil,
        related: [SourcePosition] = [], help: String? = nil
    ) {
        guard problem == nil else { return }
        problem = Diagnostic(
            code, message, at: place.position(in: sourceName), field: field, related: related, help: help)
    }
}
