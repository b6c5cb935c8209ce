import GranaryBase
import GranaryPropertyLists

/// Dictionaries nested in a record, and arrays inside its arrays. It is iterative, so depth costs no stack.
extension PropertyListRecordParser {
    /// Parses the nested dictionary that begins with `first`, with all dictionaries inside it.
    ///
    /// - Parameters:
    ///   - column: the record's key that contains it.
    ///   - isElement: whether it is an element of the key's array.
    mutating func parseObject(
        _ first: PropertyListStep, column: Int32, isElement: Bool, _ steps: inout PropertyListSteps,
        into record: inout Record
    ) throws(GranaryError) {
        objects.removeAll()
        try begin(first, column: column, isElement: isElement, &steps, in: &record)
        // The beginning of an open array without elements.
        var emptyListPlace: PropertyListPlace?
        while !objects.isEmpty, let step = try steps.next() {
            if objects.isInList {
                if step.event == .endArray {
                    objects.isInList = false
                    if let place = emptyListPlace {
                        append(.emptyList, column: objects.column, start: record.bytes.count, place, to: &record)
                    }
                } else {
                    try parseValueInside(step, isElement: true, &steps, into: &record)
                }
                emptyListPlace = nil
                continue
            }
            switch step.event {
            case .key(let name):
                guard name.utf8.elementsEqual("$null".utf8) else {
                    objects.column = try meet(name, after: objects.column, step.place)
                    continue
                }
                guard let value = try steps.next() else { return }
                var previous = objects.column
                try parseNulls(value, after: &previous, &steps, into: &record)
                objects.column = previous
            case .endDictionary: objects.end(in: &record, &columns)
            case .beginArray:
                objects.isInList = true
                emptyListPlace = step.place
            default: try parseValueInside(step, isElement: false, &steps, into: &record)
            }
        }
    }

    /// Parses an array that is an element of an array, and appends its JSON text without white space to `bytes`.
    mutating func parseListText(
        _ first: PropertyListStep, column: Int32, _ steps: inout PropertyListSteps, into bytes: inout [UInt8]
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
                if !options.allowsNUL, text.utf8.contains(0) {
                    note(
                        .encodingInvalid, "U+0000 inside text", current.place, field: name(column),
                        help: "--allow-nul")
                }
            case .integer(let value): IntegerText.append(value, to: &bytes)
            case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
            case .real(_, let digits?): bytes.append(contentsOf: digits)
            case .real(let value, nil) where value.isFinite: FloatingText.append(value, to: &bytes)
            case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
            default:
                note(
                    .valueSyntax,
                    "\(Self.phrase(current.event)) inside an array in an array; such an array is one key of several "
                        + "values: strings, finite numbers and Booleans",
                    current.place, field: name(column))
                try skip(current, &steps)
            }
            if openCount == 0 { return }
            if bytes.count > options.maximumRecordBytes {
                note(
                    .limitExceeded, "a record of more than \(options.maximumRecordBytes) bytes, the limit",
                    current.place, field: name(column))
            }
            // The record is rejected, so the rest of the array is not kept.
            if problem != nil { bytes.removeSubrange(start...) }
            step = try steps.next()
        }
    }

    private mutating func parseValueInside(
        _ step: PropertyListStep, isElement: Bool, _ steps: inout PropertyListSteps, into record: inout Record
    ) throws(GranaryError) {
        if step.event == .beginDictionary {
            try begin(step, column: objects.column, isElement: isElement, &steps, in: &record)
        } else {
            try parseValue(step, column: objects.column, isElement: isElement, &steps, into: &record)
        }
    }

    /// Opens a dictionary and adds a field for it. The content of a rejected record is skipped.
    private mutating func begin(
        _ step: PropertyListStep, column: Int32, isElement: Bool, _ steps: inout PropertyListSteps,
        in record: inout Record
    ) throws(GranaryError) {
        guard problem == nil else { return try skip(step, &steps) }
        let rawStart = Int32(truncatingIfNeeded: record.places.count)
        append(.object, column: column, start: record.nested.count, step.place, isElement: isElement, to: &record)
        objects.begin(column: column, isElement: isElement, rawStart: rawStart, in: &record, &columns)
    }

    private static func phrase(_ event: PropertyListEvent) -> String {
        switch event {
        case .beginDictionary: "a dictionary"
        case .date: "a date"
        case .data: "data"
        case .real: "a number that is not finite"
        default: "a keyed archive's reference"
        }
    }
}
