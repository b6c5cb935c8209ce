import Foundation
import GranaryBase
import GranaryFormats
import TestSupport

/// A value of any depth, made up at random, that is written and compared.
indirect enum NestedValue {
    case null
    case boolean(Bool)
    case number(String)
    /// An index into ``texts``.
    case text(Int)
    case list([NestedValue])
    case object([(name: Int, value: NestedValue)])

    /// What a text is, and its spellings in JSON, the shortest first.
    static let texts: [(value: String, spellings: [String])] = [
        ("a", [#""a""#, #""\u0061""#]), ("b", [#""b""#]), ("c c", [#""c c""#]), ("", ["\"\""]),
        ("é😀", [#""é😀""#, #""\u00e9\uD83D\ude00""#]), ("\"/\n", [#""\"/\n""#, #""\u0022\/\u000A""#]),
        ("$id", [#""$id""#]),
    ]
    private static let numbers = ["-0", "0.10", "1e5", "12345678901234567890.125", "-1.5E-3", "9007199254740993"]
    private static let plainNumbers = ["0", "-7", "9223372036854775807", "0.5"]

    /// An object without anything that property lists lack when `isPlain`.
    static func randomObject(depth: Int, isPlain: Bool, _ generator: inout SeededGenerator) -> NestedValue {
        let names = texts.indices.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
        var members: [(name: Int, value: NestedValue)] = []
        for name in names {
            members.append((name, random(depth: depth - 1, lists: 0, isPlain: isPlain, &generator)))
        }
        return .object(members)
    }

    private static func random(
        depth: Int, lists: Int, isPlain: Bool, _ generator: inout SeededGenerator
    ) -> NestedValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &generator) {
        case 0: return isPlain ? .boolean(false) : .null
        case 1: return .boolean(true)
        case 2: return .number((isPlain ? plainNumbers : numbers).randomElement(using: &generator) ?? "1")
        case 3: return .text(Int.random(in: texts.indices, using: &generator))
        case 4, 5:
            var elements: [NestedValue] = []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                elements.append(random(depth: depth - 1, lists: lists + 1, isPlain: isPlain, &generator))
            }
            return .list(elements)
        default:
            // A list in a list holds no objects.
            return lists > 1 ? .boolean(true) : randomObject(depth: depth, isPlain: isPlain, &generator)
        }
    }

    /// The JSON text; with a generator in any spelling, without one in the shortest.
    func json(_ generator: inout SeededGenerator?) -> String {
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let digits): return digits
        case .text(let index): return Self.spelling(index, &generator)
        case .list(let elements):
            var parts: [String] = []
            for element in elements { parts.append(element.json(&generator)) }
            return "[" + Self.joined(parts, &generator) + "]"
        case .object(let members):
            var parts: [String] = []
            for member in members {
                var part = Self.spelling(member.name, &generator)
                part += Self.space(&generator)
                part += ":"
                part += Self.space(&generator)
                part += member.value.json(&generator)
                parts.append(part)
            }
            return "{" + Self.joined(parts, &generator) + "}"
        }
    }

    /// The value as Foundation's property lists have it.
    var foundation: Any {
        switch self {
        case .null: return NSNull()
        case .boolean(let value): return value
        case .number(let digits):
            if let value = Int(digits) { return value }
            return Double(digits) ?? 0
        case .text(let index): return Self.texts[index].value
        case .list(let elements): return elements.map { $0.foundation }
        case .object(let members):
            var dictionary: [String: Any] = [:]
            for member in members { dictionary[Self.texts[member.name].value] = member.value.foundation }
            return dictionary
        }
    }

    private static func spelling(_ index: Int, _ generator: inout SeededGenerator?) -> String {
        let spellings = texts[index].spellings
        guard var random = generator else { return spellings[0] }
        defer { generator = random }
        return spellings[Int.random(in: spellings.indices, using: &random)]
    }

    private static func space(_ generator: inout SeededGenerator?) -> String {
        guard var random = generator else { return "" }
        defer { generator = random }
        return ["", "", " ", "\n", "\r\n\t"][Int.random(in: 0..<5, using: &random)]
    }

    private static func joined(_ parts: [String], _ generator: inout SeededGenerator?) -> String {
        var text = space(&generator)
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "," + space(&generator) }
            text += part + space(&generator)
        }
        return text
    }
}

extension Record {
    /// The record as JSON text without white space, put together from its flat form alone.
    func json(_ columns: [String]) -> [UInt8] { json(fields, columns) }

    private func json(_ fields: [Field], _ columns: [String]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, field) in fields.enumerated() {
            let isInRun = { (other: Int) in
                fields.indices.contains(other) && fields[other].isElement && fields[other].column == field.column
            }
            let isFirst = !(field.isElement && isInRun(index - 1))
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if isFirst {
                JSONText.append(columns[Int(field.column)], to: &text)
                text.append(UInt8(ascii: ":"))
                if field.isElement { text.append(UInt8(ascii: "[")) }
            }
            let value = Array(bytes[field.range])
            switch field.kind {
            case .null: text += Array("null".utf8)
            case .emptyList: text += Array("[]".utf8)
            case .object: text += json(members(ofObject: Int(field.start)), columns)
            case .quoted: value.withUnsafeBufferPointer { JSONText.append($0, to: &text) }
            case .number, .boolean, .array, .json: text += value
            case .text, .date, .data: text += Array("?".utf8)
            }
            if field.isElement, !isInRun(index + 1) { text.append(UInt8(ascii: "]")) }
        }
        return text + [UInt8(ascii: "}")]
    }
}
