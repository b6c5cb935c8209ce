import GranaryFormats

/// The members of a JSON object, each as one value.
enum JSONMembers {
    enum Value {
        case null
        case text([UInt8])
        case number([UInt8])
        case boolean([UInt8])
        /// A list with its JSON text. Lists and objects in it are values without elements.
        case list([Value], json: [UInt8])
        case object(json: [UInt8])

        /// Whether the value is an object or a list with one.
        var containsObjects: Bool {
            switch self {
            case .object: true
            case .list(let elements, _):
                elements.contains { if case .object = $0 { true } else { false } }
            case .null, .text, .number, .boolean: false
            }
        }
    }

    /// Returns nil if the text is not an object.
    static func read(_ json: [UInt8]) -> [(name: [UInt8], value: Value)]? {
        json.withUnsafeBufferPointer { bytes in
            var reader = JSONEventReader(bytes)
            guard case .beginObject? = reader.next() else { return nil }
            var members: [(name: [UInt8], value: Value)] = []
            while let event = reader.next() {
                switch event {
                case .endObject: return members
                case .name(let name):
                    guard let value = value(reader.next(), &reader, bytes) else { return nil }
                    members.append((Array(name.utf8), value))
                default: return nil
                }
            }
            return nil
        }
    }

    private static func value(
        _ event: JSONEvent?, _ reader: inout JSONEventReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Value? {
        switch event {
        case .beginObject:
            return elements(&reader, bytes).map { .object(json: $0.json) }
        case .beginArray:
            return elements(&reader, bytes).map { .list($0.elements, json: $0.json) }
        default: return scalar(event)
        }
    }

    private static func scalar(_ event: JSONEvent?) -> Value? {
        switch event {
        case .text(let text): .text(Array(text.utf8))
        case .number(let digits): .number(Array(digits))
        case .boolean(let isTrue): .boolean(Array((isTrue ? "true" : "false").utf8))
        case .null: .null
        case .beginObject, .endObject, .beginArray, .endArray, .name, nil: nil
        }
    }

    /// Reads on to the end of the object or list that has just begun. The values of an object are elements too.
    private static func elements(
        _ reader: inout JSONEventReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (elements: [Value], json: [UInt8])? {
        let start = reader.offset
        // For each open object or list, its start and whether it is a list.
        var open: [(start: Int, isList: Bool)] = []
        var elements: [Value] = []
        while let event = reader.next() {
            switch event {
            case .beginObject, .beginArray:
                var isList = false
                if case .beginArray = event { isList = true }
                open.append((reader.offset, isList))
            case .endObject, .endArray:
                guard let (innerStart, isList) = open.popLast() else {
                    return (elements, Array(bytes[start...reader.offset]))
                }
                guard open.isEmpty else { continue }
                let json = Array(bytes[innerStart...reader.offset])
                elements.append(isList ? .list([], json: json) : .object(json: json))
            case .name: continue
            default:
                if open.isEmpty, let value = scalar(event) { elements.append(value) }
            }
        }
        return nil
    }
}
