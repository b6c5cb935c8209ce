import GranaryBase
import GranaryPropertyLists

/// Converts the events of one dictionary to a record's fields.
///
/// One loop handles the values of all depths, so depth costs no stack.
struct PropertyListRecordParser {
    private(set) var assembler = RecordAssembler()
    /// The first mistake in the last record, whose end was found.
    private(set) var problem: Diagnostic?
    /// Which members hold JSON values or fields of the object around them.
    var contents = MemberContents()
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
        assembler.begin(maximumFields: options.maximumFields, kind: contents.recordKind)
        keyPlaces.removeAll(keepingCapacity: true)
        guard first.event == .beginDictionary else {
            note(.plistSyntax, "expected a dictionary for a record", first.place)
            return try Self.skip(first, &steps)
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
                guard assembler.isNested else { return flatten(&record) }
                assembler.endObject(in: &record)
            case .beginArray where !assembler.level.isInList:
                if assembler.content(&contents, in: record) == .json {
                    try parseJSON(step, &steps, into: &record)
                } else {
                    assembler.beginList(in: record)
                    emptyListPlace = step.place
                    continue
                }
            case .endArray:
                assembler.level.isInList = false
                if let place = emptyListPlace { append(.emptyList, start: record.bytes.count, place, to: &record) }
            default: try parseValue(step, &steps, into: &record)
            }
            emptyListPlace = nil
        }
    }

    /// Adds the key under which a record is as its first field. A problem is in ``problem``.
    mutating func add(name: String, column: String, at place: PropertyListPlace, to record: inout Record) {
        if !options.allowsNUL, name.utf8.contains(0) {
            return note(.encodingInvalid, "U+0000 inside a key", place, help: "--allow-nul")
        }
        let rawStart = record.places.count
        record.places.append(Record.Place(line: place.line, column: place.column, byteOffset: place.byteOffset))
        let found = assembler.add(
            name: Array(name.utf8), column: column, rawStart: rawStart, limit: options.maximumColumns, to: &record)
        switch found {
        case nil: break
        case .tooMany:
            note(.limitExceeded, "more than \(options.maximumColumns) different keys, the limit", place)
        case .differs(let index):
            var position = place.position(in: sourceName)
            if record.places.indices.contains(index) {
                let other = record.places[index]
                position = SourcePosition(
                    file: sourceName, line: other.line, column: other.column, byteOffset: other.byteOffset)
            }
            if problem == nil { problem = RecordPlaceSearch.otherName(name, column: column, at: position) }
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
            return try Self.skip(first, &steps)
        }
        while let step = try steps.next(), step.event != .endArray {
            guard case .string(let name) = step.event else {
                note(.plistSyntax, mistake, step.place)
                try Self.skip(step, &steps)
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
            guard problem == nil else { return try Self.skip(step, &steps) }
            let content = assembler.content(&contents, in: record)
            if content == .json { return try parseJSON(step, &steps, into: &record) }
            let rawStart = record.places.count
            append(.object, start: record.nested.count, step.place, to: &record)
            assembler.beginObject(rawStart: rawStart, kind: content.kind, in: &record)
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

    /// Moves members of objects into the objects around them, as the guide says.
    private mutating func flatten(_ record: inout Record) {
        guard contents.hasPaths, problem == nil else { return }
        func place(_ index: Int32) -> PropertyListPlace {
            guard record.places.indices.contains(Int(index)) else { return PropertyListPlace(line: 1, column: 1) }
            let place = record.places[Int(index)]
            return PropertyListPlace(line: place.line, column: place.column, byteOffset: place.byteOffset)
        }
        switch assembler.flatten(&record, &contents, limit: options.maximumColumns) {
        case nil: break
        case .tooMany:
            note(.limitExceeded, "more than \(options.maximumColumns) different keys, the limit", place(0))
        case .duplicate(let name, let first, let second):
            note(
                .headerDuplicate, "the key \"\(Diagnostic.shortened(name))\" occurs twice in one dictionary",
                place(second), field: name, related: [place(first).position(in: sourceName)])
        }
    }

    /// Parses an array or a dictionary that is one value, and appends its JSON text.
    private mutating func parseJSON(
        _ first: PropertyListStep, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        let start = record.bytes.count
        var writer = PropertyListJSONWriter()
        var step: PropertyListStep? = first
        var depth = 0
        while let current = step {
            switch current.event {
            case .beginArray, .beginDictionary: depth += 1
            case .endArray, .endDictionary: depth -= 1
            default: checkText(current)
            }
            if problem == nil {
                do throws(GranaryError) { _ = try writer.write(current.event) } catch {
                    note(
                        .valueSyntax, "a date, data or a number that JSON cannot express, inside a value that is JSON",
                        current.place, field: assembler.memberName)
                }
                if writer.json.count > options.maximumFieldBytes {
                    note(
                        .limitExceeded,
                        "a value of more than \(options.maximumFieldBytes) bytes, the limit for a field",
                        first.place, field: assembler.memberName)
                }
            }
            if depth <= 0 { break }
            step = try steps.next()
        }
        guard problem == nil else { return }
        record.bytes.append(contentsOf: writer.json)
        append(.json, start: start, first.place, to: &record)
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
                    try Self.skip(current, &steps)
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
    static func skip(_ first: PropertyListStep, _ steps: inout PropertyListSteps) throws(GranaryError) {
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
