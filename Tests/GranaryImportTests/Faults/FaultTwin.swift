import Foundation
import GranaryModel
import GranaryPredicates

/// Reads fields as the importer has to, slow and obvious: the model's rules by hand, numbers and bytes by Foundation.
enum FaultTwin {
    static func read(_ column: FaultColumn, _ text: [UInt8], isQuoted: Bool) -> FaultReading {
        if text.isEmpty, !isQuoted {
            if FaultColumn.relationships.contains(column) { return .keys([]) }
            return column.isRequired ? .bad : .null
        }
        let string = String(decoding: text, as: UTF8.self)
        switch column {
        case .code: return self.text(text, if: (2...12).contains(string.utf16.count))
        case .name: return self.text(text, if: (2...24).contains(string.utf16.count))
        case .note: return .value(FaultContents.bytes(ofText: text))
        case .zip:
            let isCode = (2...6).contains(text.count) && text.allSatisfy { isDigit($0) || (0x41...0x5A).contains($0) }
            return self.text(text, if: isCode)
        case .small: return integer(text, -32_768...1000)
        case .middle: return integer(text, Int64(Int32.min)...Int64(Int32.max))
        case .large: return integer(text, Int64.min...Int64.max)
        case .price: return decimal(text)
        case .exact:
            return real(text) { Double($0).flatMap { $0.isFinite ? AttributeValue.double($0) : nil } }
        case .rough:
            return real(text) { Float($0).flatMap { $0.isFinite ? AttributeValue.float($0) : nil } }
        case .flag:
            let word = string.lowercased()
            if ["true", "yes", "1"].contains(word) { return value(.boolean(true)) }
            return ["false", "no", "0"].contains(word) ? value(.boolean(false)) : .bad
        case .day:
            guard let seconds = FaultDate.seconds(text) else { return .bad }
            return value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        case .uid: return uuid(text)
        case .link:
            // The grammar of URIs is tested elsewhere.
            let bytes = FaultContents.bytes(ofText: text)
            return FaultTexts.links.contains(string) ? .value(bytes) : .uncertain(bytes)
        case .data:
            if text.isEmpty { return value(.binary(Data())) }
            guard let data = Data(base64Encoded: string), data.base64EncodedString() == string else { return .bad }
            return value(.binary(data))
        case .group, .parent: return .keys([FaultContents.bytes(ofText: text)])
        case .badge:
            guard case .value(let number) = integer(text, Int64.min...Int64.max) else { return .bad }
            return .keys([number])
        case .tags: return list(text).map { .keys($0.map { FaultContents.bytes(ofText: $0) }) } ?? .bad
        }
    }

    private static func value(_ value: AttributeValue) -> FaultReading { .value(FaultContents.bytes(of: value)) }

    private static func text(_ text: [UInt8], if isRight: Bool) -> FaultReading {
        isRight ? .value(FaultContents.bytes(ofText: text)) : .bad
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func integer(_ text: [UInt8], _ range: ClosedRange<Int64>) -> FaultReading {
        let digits = text.first == 0x2D || text.first == 0x2B ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy(isDigit), digits.count == 1 || digits.first != 0x30,
            let number = Int64(String(decoding: text, as: UTF8.self)), range.contains(number)
        else { return .bad }
        return .value(FaultContents.bytes(ofInteger: number))
    }

    private static func decimal(_ text: [UInt8]) -> FaultReading {
        guard let number = FaultNumber(text), number.significantDigits <= 38, number.exponent.magnitude < 120,
            let decimal = Decimal(string: String(decoding: text, as: UTF8.self))
        else { return .bad }
        return value(.decimal(decimal))
    }

    private static func real(_ text: [UInt8], _ parse: (String) -> AttributeValue?) -> FaultReading {
        guard let number = FaultNumber(text), let found = parse(String(decoding: text, as: UTF8.self)) else {
            return .bad
        }
        let isZero = found == .double(0) || found == .float(0)
        return isZero && number.significantDigits > 0 ? .bad : value(found)
    }

    private static func uuid(_ text: [UInt8]) -> FaultReading {
        guard text.count == 36, let uuid = UUID(uuidString: String(decoding: text, as: UTF8.self)) else { return .bad }
        for (index, byte) in text.enumerated() {
            let isHyphen = [8, 13, 18, 23].contains(index)
            let isHex = isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
            guard isHyphen ? byte == 0x2D : isHex else { return .bad }
        }
        return value(.uuid(uuid))
    }

    /// The elements of a list in a field; nil where a quote is out of place.
    private static func list(_ text: [UInt8]) -> [[UInt8]]? {
        var elements: [[UInt8]] = []
        var index = 0
        while true {
            var element: [UInt8] = []
            if index < text.count, text[index] == 0x22 {
                index += 1
                while true {
                    guard index < text.count else { return nil }
                    if text[index] == 0x22 {
                        guard index + 1 < text.count, text[index + 1] == 0x22 else { break }
                        index += 1
                    }
                    element.append(text[index])
                    index += 1
                }
                index += 1
                guard index == text.count || text[index] == 0x3B else { return nil }
            } else {
                while index < text.count, text[index] != 0x3B {
                    if text[index] == 0x22 { return nil }
                    element.append(text[index])
                    index += 1
                }
            }
            elements.append(element)
            guard index < text.count else { return elements }
            index += 1
        }
    }
}

/// A number's text, by the grammar of JSON with an optional `+`.
struct FaultNumber {
    private(set) var exponent = 0
    /// Without the zeros at either end.
    let significantDigits: Int

    init?(_ text: [UInt8]) {
        var rest = text[...]
        if rest.first == 0x2D || rest.first == 0x2B { rest = rest.dropFirst() }
        let whole = rest.prefix(while: FaultTwin.isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return nil }
        rest = rest.dropFirst(whole.count)
        var digits = Array(whole)
        if rest.first == 0x2E {
            let fraction = rest.dropFirst().prefix(while: FaultTwin.isDigit)
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            rest = rest.dropFirst(fraction.count + 1)
        }
        if let mark = rest.first {
            let number = String(decoding: rest.dropFirst(), as: UTF8.self)
            guard mark == 0x65 || mark == 0x45, rest.count > 1, let exponent = Int(number) else { return nil }
            self.exponent = exponent
        }
        let significant = digits.drop { $0 == 0x30 }
        significantDigits = significant.lastIndex { $0 != 0x30 }.map { $0 - significant.startIndex + 1 } ?? 0
    }
}
