import GranaryBase
import GranaryFormats

/// Parses JSON into the property list of a Transformable attribute, without recursion.
///
/// A number without a fraction and an exponent is an integer, any other number is a double.
enum TransformedJSONReader {
    private struct Level {
        let isObject: Bool
        /// The name of the next value's member.
        var name = ""
        var members: [any Sendable] = []
        var entries = ArchivedEntries()
        var names: Set<[UInt8]> = []
    }

    /// - Parameter json: one value; its syntax is valid.
    static func value(
        of json: UnsafeBufferPointer<UInt8>
    ) throws(TransformedJSON.Problem) -> any Sendable {
        var events = JSONEventReader(json)
        var levels: [Level] = []
        while let event = events.next() {
            let value: any Sendable
            switch event {
            case .beginObject:
                try open(Level(isObject: true), &levels, at: events.offset)
                continue
            case .beginArray:
                try open(Level(isObject: false), &levels, at: events.offset)
                continue
            case .name(let name):
                guard let last = levels.indices.last else { continue }
                guard levels[last].names.insert(Array(name.utf8)).inserted else {
                    throw TransformedJSON.Problem(
                        code: .valueSyntax,
                        reason: "the key \"\(Diagnostic.shortened(name))\" occurs twice in one object",
                        offset: events.offset)
                }
                levels[last].name = name
                continue
            case .endObject:
                value = (levels.popLast()?.entries ?? ArchivedEntries()).value
            case .endArray:
                let members: [any Sendable] = levels.popLast()?.members ?? []
                value = members
            case .text(let text): value = text
            case .boolean(let flag): value = flag
            case .null: value = ArchivedNull()
            case .number(let digits): value = try number(digits, at: events.offset)
            }
            guard let last = levels.indices.last else { return value }
            if levels[last].isObject {
                levels[last].entries.names.append(levels[last].name)
                levels[last].entries.values.append(value)
            } else {
                levels[last].members.append(value)
            }
        }
        throw TransformedJSON.Problem(code: .valueSyntax, reason: "it is not JSON", offset: events.offset)
    }

    private static func open(
        _ level: Level, _ levels: inout [Level], at offset: Int
    ) throws(TransformedJSON.Problem) {
        do throws(GranaryError) {
            try PropertyListBudget.checkDepth(levels.count)
        } catch {
            throw TransformedJSON.Problem(code: .limitExceeded, reason: error.message, offset: offset)
        }
        levels.append(level)
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
