import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel

/// What all values of one column have in common.
struct ColumnProfile {
    private(set) var name: String
    /// The records with a value that is not NULL.
    private(set) var count = 0
    /// The values, more than records if the values are lists.
    private(set) var valueCount = 0
    private(set) var isList = false
    /// Whether values are objects, with an entity of their own.
    private(set) var hasObjects = false
    /// Whether values are lists inside lists.
    private(set) var hasArrays = false
    /// The types that all values so far have.
    private(set) var possible = Possible.all
    /// The kinds of values in formats that tell them apart.
    private(set) var kinds = Kinds()
    /// The lengths of the texts in UTF-16 units.
    private(set) var lengths = 0...0
    private(set) var integers: ClosedRange<Int64> = 0...0
    private(set) var numbers: ClosedRange<Double> = 0...0
    /// The number of digits after the point, if all numbers have the same; otherwise -1.
    private(set) var fractionDigits = -1
    /// The words for true and false that occur in texts, without the words `true` and `false` themselves.
    private var otherWords: Set<Bool> = []
    /// Whether dates are without a time zone.
    private(set) var lacksTimeZone = false
    /// Whether texts of a format that has numbers are numbers, such as the key "6" beside 7.
    private var hasNumberTexts = false
    var keys = KeyState.unique(KeySet())
    private var misfits = ColumnMisfits()

    /// What is known about the values as keys.
    enum KeyState {
        /// No value occurs twice.
        case unique(KeySet)
        case repeated
        /// Too many values to remember.
        case unknown
    }

    struct Possible: OptionSet {
        let rawValue: UInt8
        static let integer = Self(rawValue: 1)
        static let number = Self(rawValue: 2)
        static let boolean = Self(rawValue: 4)
        static let date = Self(rawValue: 8)
        static let uuid = Self(rawValue: 16)
        static let all: Self = [.integer, .number, .boolean, .date, .uuid]
    }

    struct Kinds: OptionSet {
        let rawValue: UInt8
        static let text = Self(rawValue: 1)
        static let number = Self(rawValue: 2)
        static let boolean = Self(rawValue: 4)
        static let date = Self(rawValue: 8)
        static let data = Self(rawValue: 16)
    }

    init(name: String) { self.name = name }

    private init(copy: ColumnProfile, name: String) {
        self = copy
        self.name = name
    }

    mutating func addObject(isElement: Bool, isFirst: Bool) {
        hasObjects = true
        isList = isList || isElement
        if isFirst { count += 1 }
        valueCount += 1
    }

    mutating func addEmptyList() {
        isList = true
        count += 1
    }

    /// - Parameters:
    ///   - isFirst: whether it is the first value of its record.
    ///   - tells: whether the format tells numbers and Booleans from text.
    ///   - line: the line of the record.
    mutating func add(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, isElement: Bool, isFirst: Bool, tells: Bool,
        line: Int = 0
    ) {
        if isFirst { count += 1 }
        isList = isList || isElement
        let isStart = valueCount == 0
        valueCount += 1
        switch kind {
        case .array, .json:
            hasArrays = true
            return
        case .data:
            kinds.insert(.data)
            return
        case .date:
            kinds.insert(.date)
            return
        case .number: kinds.insert(.number)
        case .boolean: kinds.insert(.boolean)
        default: kinds.insert(.text)
        }
        let length = Self.length(bytes)
        lengths = isStart ? length...length : min(lengths.lowerBound, length)...max(lengths.upperBound, length)
        if tells, kind == .quoted {
            if Self.number(bytes) == nil {
                possible.formIntersection([.date, .uuid])
            } else {
                hasNumberTexts = true
                possible.remove(.boolean)
            }
        }
        if kind == .number { possible.formIntersection([.integer, .number]) }
        if kind == .boolean { possible.formIntersection(.boolean) }
        if !possible.isEmpty { narrow(bytes, isStart: isStart) }
        guard !tells else { return }
        misfits.add(bytes, line: line, isNumber: { Self.number($0) != nil }, isDate: Self.isDate)
    }

    private static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var plain = DateTextReader()
        return (try? plain.parse(bytes)) != nil || plain.reads(bytes, timeZone: .gmt)
    }

    /// Why a column of nearly only numbers or dates is a string; nil for other columns.
    var misfit: String? { type == .string && !isList ? misfits.text : nil }

    /// The number of UTF-16 units: one for each character, two for those beyond the basic plane.
    private static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var length = 0
        for byte in bytes where byte & 0xC0 != 0x80 { length += byte >= 0xF0 ? 2 : 1 }
        return length
    }

    private mutating func narrow(_ bytes: UnsafeBufferPointer<UInt8>, isStart: Bool) {
        if possible.contains(.integer) {
            // A plus sign would be lost.
            if bytes.first != UInt8(ascii: "+"), let value = try? IntegerText.parse(bytes) {
                integers = isStart ? value...value : min(integers.lowerBound, value)...max(integers.upperBound, value)
            } else {
                possible.remove(.integer)
            }
        }
        if possible.contains(.number) {
            if let value = Self.number(bytes) {
                numbers = isStart ? value...value : min(numbers.lowerBound, value)...max(numbers.upperBound, value)
                let digits = bytes.firstIndex(of: UInt8(ascii: ".")).map { bytes.count - $0 - 1 } ?? 0
                if isStart { fractionDigits = digits } else if fractionDigits != digits { fractionDigits = -1 }
            } else {
                possible.remove(.number)
            }
        }
        if possible.contains(.boolean) {
            if let value = Self.boolean(bytes) {
                // In a column of `no` alone it can be the code of Norway.
                if !Self.isPlainWord(bytes) { otherWords.insert(value) }
            } else {
                possible.remove(.boolean)
            }
        }
        if possible.contains(.uuid), (try? UUIDText.parse(bytes)) == nil { possible.remove(.uuid) }
        if possible.contains(.date) {
            var plain = DateTextReader()
            if (try? plain.parse(bytes)) == nil {
                if plain.reads(bytes, timeZone: .gmt) { lacksTimeZone = true } else { possible.remove(.date) }
            }
        }
    }

    /// Numbers that lose nothing as a double: no leading zeros, no plus sign, no more digits than it keeps.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var digits = bytes[...]
        if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
        guard digits.count <= 24, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: ".") else {
            return nil
        }
        let second = digits.dropFirst().first
        if digits.first == UInt8(ascii: "0"), let second, second != UInt8(ascii: "."), second | 0x20 != 0x65 {
            return nil
        }
        // 1E5 can be a code; a number with an exponent has a point or a sign.
        let hasExponent = digits.contains { $0 | 0x20 == 0x65 }
        guard !hasExponent || digits.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        let value = try? FloatingText.parse(bytes)
        guard digits.count(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) > 15 else { return value }
        // More digits are kept if a Double is written with exactly them.
        return value.flatMap { "\($0)".utf8.elementsEqual(bytes) ? $0 : nil }
    }

    private static func boolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        // 0 and 1 are numbers.
        bytes.count > 1 ? try? BooleanText.parse(bytes) : nil
    }

    private static func isPlainWord(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ["true", "false"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }

    /// The type of the values. Nil if no attribute can hold them all.
    var type: AttributeType? {
        if hasObjects { return nil }
        if isList || hasArrays { return .transformable }
        if valueCount == 0 { return .string }
        if kinds == .data { return .binary }
        if kinds == .date { return .date }
        // JSON and property lists tell kinds apart, and an import refuses a number for text.
        let isMixed = kinds == [.text, .number] && hasNumberTexts && possible.contains(.number)
        guard kinds == .text || kinds == .number || kinds == .boolean || isMixed else { return nil }
        // Texts of digits alone are texts.
        let possible = kinds == .text && hasNumberTexts ? possible.subtracting([.integer, .number]) : possible
        if possible.contains(.boolean), otherWords.count != 1 { return .boolean }
        if possible.contains(.integer) {
            let isShort = integers.lowerBound >= -1_000_000_000 && integers.upperBound <= 1_000_000_000
            return isShort ? .integer32 : .integer64
        }
        // The same number of digits in each value: amounts of money.
        if possible.contains(.number) { return fractionDigits == 2 ? .decimal : .double }
        if kinds == .number { return .double }
        if possible.contains(.date) { return .date }
        return possible.contains(.uuid) ? .uuid : .string
    }

    /// Whether numbers of a format that has numbers lose digits as the proposed type.
    var losesDigits: Bool { kinds == .number && !possible.contains(.number) && type == .double }

    /// The values one by one, as those of another column.
    func elements(named name: String) -> ColumnProfile {
        var elements = ColumnProfile(copy: self, name: name)
        elements.isList = false
        elements.keys = .repeated
        return elements
    }

    /// Whether all values are whole numbers, written as such.
    var isNumeral: Bool {
        possible.contains(.integer) && kinds.isDisjoint(with: [.data, .date]) && !(kinds == .text && hasNumberTexts)
    }

    /// Whether all values are 0 and 1.
    var holdsFlags: Bool { possible.contains(.integer) && integers.lowerBound >= 0 && integers.upperBound <= 1 }

    var isUnique: Bool {
        guard case .unique = keys, valueCount > 0 else { return false }
        return !isList && !hasObjects && !hasArrays
    }

    /// `28,298 values, longest 7, unique`
    var evidence: String {
        if count == 0 { return "no values" }
        var parts = [CountText.count(count, isList ? "list" : "value")]
        switch type {
        case .string: parts.append("longest \(lengths.upperBound)")
        case .integer32, .integer64:
            parts.append("\(integers.lowerBound) to \(integers.upperBound)")
        case .double where !possible.contains(.number): parts.append("more digits than a Double keeps")
        case .double, .decimal:
            parts.append("\(numbers.lowerBound) to \(numbers.upperBound)")
        case .date: if lacksTimeZone { parts.append("without a time zone") }
        default: break
        }
        if type == .integer64, integers.lowerBound >= 946_684_800_000, integers.upperBound <= 4_102_444_800_000 {
            parts.append("perhaps dates: type date and --date-format unix-ms")
        }
        if kinds == [.text, .number] { parts.append("some are texts") }
        switch keys {
        case .unique where isUnique && valueCount > 1: parts.append("unique")
        case .unknown: parts.append("too many to see whether they are unique")
        default: break
        }
        if let misfit { parts.append(misfit) }
        return parts.joined(separator: ", ")
    }
}
