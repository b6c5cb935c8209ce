import GranaryBase
import GranaryPropertyLists

/// Converts a JSON text to property-list events, to write a model into a property list.
///
/// It is the inverse of ``PropertyListJSONWriter``: null becomes `{"$null": true}`.
enum JSONPropertyListWriter {
    /// Passes each event of the text to `handle`, without recursion.
    ///
    /// - Throws: ``GranaryError`` for text that is not JSON, for numbers that fit neither 64 bits nor a double, and
    ///   errors of `handle`.
    static func forEachEvent(
        of text: [UInt8], _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        if let problem = JSONSyntax.firstProblem(in: text, name: "the model") { throw GranaryError(problem) }
        try text.withUnsafeBufferPointer { bytes throws(GranaryError) in
            var events = JSONEventReader(bytes)
            while let event = events.next() { try give(event, handle) }
            if events.isBroken { throw GranaryError(.internalDefect, "the model's checked JSON is malformed") }
        }
    }

    private static func give(
        _ event: JSONEvent, _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        switch event {
        case .beginObject: try handle(.beginDictionary)
        case .endObject: try handle(.endDictionary)
        case .beginArray: try handle(.beginArray)
        case .endArray: try handle(.endArray)
        case .name(let name): try handle(.key(name))
        case .text(let text): try handle(.string(text))
        case .boolean(let flag): try handle(.boolean(flag))
        case .null:
            try handle(.beginDictionary)
            try handle(.key("$null"))
            try handle(.boolean(true))
            try handle(.endDictionary)
        case .number(let digits): try give(number: String(decoding: digits, as: UTF8.self), handle)
        }
    }

    private static func give(
        number: String, _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        if let value = Int64(number) { return try handle(.integer(value)) }
        if let value = UInt64(number) { return try handle(.unsigned(value)) }
        guard let value = Double(number), value.isFinite else {
            throw GranaryError(
                Diagnostic(.valueRange, "the model's number \(Diagnostic.shortened(number)) is beyond a double's range")
            )
        }
        try handle(.real(value))
    }
}
