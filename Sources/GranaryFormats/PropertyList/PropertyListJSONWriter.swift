import GranaryBase
import GranaryPropertyLists

/// Writes the events of one dictionary as JSON, to read a model from a property list.
///
/// Property lists have no null; `{"$null": true}` represents it (see ``JSONPropertyListWriter``).
struct PropertyListJSONWriter {
    private(set) var json: [UInt8] = []
    private var openDictionaries: [Bool] = []
    /// Whether the innermost container is empty, or the last event was a key.
    private var needsNoComma = true

    private static let null = Array(#"{"$null":true}"#.utf8)

    /// Writes the next event.
    ///
    /// - Returns: whether the value is complete.
    /// - Throws: ``GranaryError`` for values that JSON cannot express.
    mutating func write(_ event: PropertyListEvent) throws(GranaryError) -> Bool {
        switch event {
        case .endArray, .endDictionary:
            json.append(event == .endArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
            openDictionaries.removeLast(openDictionaries.isEmpty ? 0 : 1)
            needsNoComma = false
            if event == .endDictionary, json.count > Self.null.count,
                json.suffix(Self.null.count).elementsEqual(Self.null)
            {
                json.removeLast(Self.null.count)
                json.append(contentsOf: "null".utf8)
            }
            return openDictionaries.isEmpty
        default: break
        }
        if !needsNoComma { json.append(UInt8(ascii: ",")) }
        needsNoComma = false
        switch event {
        case .beginArray, .beginDictionary:
            json.append(event == .beginArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
            openDictionaries.append(event == .beginDictionary)
            needsNoComma = true
        case .key(let text):
            JSONText.append(text, to: &json)
            json.append(UInt8(ascii: ":"))
            needsNoComma = true
        case .string(let text): JSONText.append(text, to: &json)
        case .integer(let value): IntegerText.append(value, to: &json)
        case .unsigned(let value): json.append(contentsOf: value.description.utf8)
        case .real(_, let digits?): json.append(contentsOf: digits)
        case .real(let value, nil) where value.isFinite: FloatingText.append(value, to: &json)
        case .boolean(let value): json.append(contentsOf: (value ? "true" : "false").utf8)
        default: throw GranaryError(.refused, "the model contains a date, data or a number that JSON cannot express")
        }
        return openDictionaries.isEmpty
    }
}
