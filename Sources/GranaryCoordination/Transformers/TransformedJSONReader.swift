import GranaryBase
import GranaryFormats

/// Parses JSON into the property list of a Transformable attribute.
///
/// A number without a fraction and an exponent is an integer, any other number is a double.
enum TransformedJSONReader {
    /// - Parameter json: one value; its syntax is valid.
    static func value(
        of json: UnsafeBufferPointer<UInt8>
    ) throws(TransformedJSON.Problem) -> any Sendable {
        var events = JSONEventReader(json)
        return try value(events.next(), depth: 0, &events)
    }

    /// Recurses once for each level of collections.
    private static func value(
        _ event: JSONEvent?, depth: Int, _ events: inout JSONEventReader
    ) throws(TransformedJSON.Problem) -> any Sendable {
        switch event {
        case .beginObject?: return try object(depth, &events)
        case .beginArray?: return try array(depth, &events)
        case .text(let text)?: return text
        case .boolean(let flag)?: return flag
        case .null?: return ArchivedNull()
        case .number(let digits)?: return try number(digits, at: events.offset)
        case .name?, .endObject?, .endArray?, nil: throw notJSON(at: events.offset)
        }
    }

    private static func notJSON(at offset: Int) -> TransformedJSON.Problem {
        TransformedJSON.Problem(code: .valueSyntax, reason: "it is not JSON", offset: offset)
    }

    private static func array(
        _ depth: Int, _ events: inout JSONEventReader
    ) throws(TransformedJSON.Problem) -> [any Sendable] {
        try checkDepth(depth, at: events.offset)
        var members: [any Sendable] = []
        while true {
            let event = events.next()
            if case .endArray? = event { return members }
            members.append(try value(event, depth: depth + 1, &events))
        }
    }

    private static func object(
        _ depth: Int, _ events: inout JSONEventReader
    ) throws(TransformedJSON.Problem) -> any Sendable {
        try checkDepth(depth, at: events.offset)
        var entries = ArchivedEntries()
        var names: Set<[UInt8]> = []
        while true {
            let event = events.next()
            if case .endObject? = event { return entries.value }
            guard case .name(let name)? = event else { throw notJSON(at: events.offset) }
            guard names.insert(Array(name.utf8)).inserted else {
                throw TransformedJSON.Problem(
                    code: .valueSyntax,
                    reason: "the key \"\(Diagnostic.shortened(name))\" occurs twice in one object",
                    offset: events.offset)
            }
            entries.names.append(name)
            entries.values.append(try value(events.next(), depth: depth + 1, &events))
        }
    }

    private static func checkDepth(_ depth: Int, at offset: Int) throws(TransformedJSON.Problem) {
        do throws(GranaryError) {
            try PropertyListBudget.checkDepth(depth)
        } catch {
            throw TransformedJSON.Problem(code: .limitExceeded, reason: error.message, offset: offset)
        }
    }

    private static func number(
        _ digits: UnsafeBufferPointer<UInt8>, at offset: Int
    ) throws(TransformedJSON.Problem) -> any Sendable {
        let isReal = digits.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        let text = String(decoding: digits, as: UTF8.self)
        if !isReal {
            if let value = Int64(text) { return value }
            if let value = UInt64(text) { return value }
            throw TransformedJSON.Problem(
                code: .valueRange,
                reason: "\(Diagnostic.shortened(text)) does not fit into 64 bits; with an exponent it is a double",
                offset: offset)
        }
        do throws(ValueTextError) {
            return try FloatingText.parse(digits)
        } catch {
            throw TransformedJSON.Problem(
                code: error.code, reason: "\(Diagnostic.shortened(text)) is \(error.reason)", offset: offset)
        }
    }
}
