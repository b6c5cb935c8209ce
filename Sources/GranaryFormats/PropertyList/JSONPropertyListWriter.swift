import GranaryBase
import GranaryPropertyLists

/// Gives a JSON text as property-list events: how a model goes into a property list.
///
/// The reverse of ``PropertyListJSONWriter``: null is `{"$null": true}`.
enum JSONPropertyListWriter {
    /// Walks through the text without recursion.
    ///
    /// - Throws: ``GranaryError`` for text that is not JSON, for numbers that neither 64 bits nor a double hold, and
    ///   what `handle` throws.
    static func forEachEvent(
        of text: [UInt8], _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        if let problem = JSONSyntax.firstProblem(in: text, name: "the model") { throw GranaryError(problem) }
        var limits = JSONReader.Options()
        limits.maximumFieldBytes = .max
        limits.allowsNUL = true
        try text.withUnsafeBufferPointer { bytes throws(GranaryError) in
            var cursor = JSONCursor(bytes, isFinal: true, limits: limits)
            do {
                try walk(&cursor, handle)
            } catch let error as GranaryError {
                throw error
            } catch {
                throw GranaryError(.internalDefect, "the model's JSON is checked and yet broken")
            }
        }
    }

    private static func walk(
        _ cursor: inout JSONCursor, _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws {
        var openObjects: [Bool] = []
        var string: [UInt8] = []
        // The syntax is known to be right: commas, colons and ends need no checks here.
        while true {
            let byte = try cursor.token()
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"): cursor.position += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                cursor.position += 1
                openObjects.append(byte == UInt8(ascii: "{"))
                try handle(byte == UInt8(ascii: "{") ? .beginDictionary : .beginArray)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                cursor.position += 1
                openObjects.removeLast(openObjects.isEmpty ? 0 : 1)
                try handle(byte == UInt8(ascii: "}") ? .endDictionary : .endArray)
            case UInt8(ascii: "\""):
                string.removeAll(keepingCapacity: true)
                try cursor.scanString(into: &string)
                let text = String(decoding: string, as: UTF8.self)
                cursor.skipWhitespace()
                let isName =
                    openObjects.last == true && cursor.position < cursor.bytes.count
                    && cursor.bytes[cursor.position] == UInt8(ascii: ":")
                try handle(isName ? .key(text) : .string(text))
            default:
                let start = cursor.position
                try cursor.skipScalar(byte)
                try scalar(UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.position]), handle)
            }
            if openObjects.isEmpty { return }
        }
    }

    private static func scalar(
        _ text: UnsafeBufferPointer<UInt8>, _ handle: (PropertyListEvent) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        switch text.first {
        case UInt8(ascii: "t"): return try handle(.boolean(true))
        case UInt8(ascii: "f"): return try handle(.boolean(false))
        case UInt8(ascii: "n"):
            try handle(.beginDictionary)
            try handle(.key("$null"))
            try handle(.boolean(true))
            return try handle(.endDictionary)
        default: break
        }
        let number = String(decoding: text, as: UTF8.self)
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
