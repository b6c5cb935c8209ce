import Foundation
import GranaryBase

/// How the dates of a column can be read: the formats that accept its texts.
struct DateReadings {
    struct Candidate {
        /// The value of the option `date-format`.
        let name: String
        let form: DateTextReader.Form
        let hasZone: Bool
        var reader: DateTextReader
        /// Whether it reads the numbers of JSON.
        var readsNumbers: Bool { ["core-data", "unix", "unix-ms", "excel"].contains(name) }
        /// The other candidates that read a text of the column as another date.
        var contradicted: Set<Int> = []
    }

    private(set) var candidates: [Candidate] = []
    private(set) var count = 0
    private(set) var others = 0
    private(set) var firstOther: String?

    /// Whether a text is an ISO 8601 date without a zone.
    private(set) var hasBareISO = false
    /// How many texts the same candidates read, by the bits of these.
    private var covered: [UInt32: Int] = [:]

    private static let patience = 50
    private static let mostCandidates = 24
    var isHopeless: Bool { others > Self.patience && others * 2 > count }

    /// - Parameter isNumber: whether it is a number of JSON, not a text.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool = false) {
        guard !isHopeless else { return }
        count += 1
        var values = read(text, isNumber: isNumber)
        if values.isEmpty, extend(for: text, isNumber: isNumber) { values = read(text, isNumber: isNumber) }
        if values.isEmpty {
            others += 1
            if firstOther == nil { firstOther = String(decoding: text.prefix(60), as: UTF8.self) }
        }
        if !values.isEmpty { covered[values.reduce(0) { $0 | 1 << UInt32($1.0) }, default: 0] += 1 }
        for (index, value) in values {
            for (other, otherValue) in values where value != otherValue { candidates[index].contradicted.insert(other) }
        }
    }

    /// Counts a text that is no date.
    mutating func skip(_ text: UnsafeBufferPointer<UInt8>) {
        guard !isHopeless else { return }
        count += 1
        others += 1
        if firstOther == nil { firstOther = String(decoding: text.prefix(60), as: UTF8.self) }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> [(Int, Double)] {
        var values: [(Int, Double)] = []
        for index in candidates.indices where !isNumber || candidates[index].readsNumbers {
            guard let value = try? candidates[index].reader.parse(text) else { continue }
            values.append((index, value))
            if !hasBareISO, candidates[index].name == "iso8601" {
                var zoned = DateTextReader()
                hasBareISO = (try? zoned.parse(text)) == nil
            }
        }
        return values
    }

    /// Adds the formats of a text that none of the candidates reads.
    private mutating func extend(for text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> Bool {
        guard (5...64).contains(text.count), text.contains(where: { (0x30...0x39).contains($0) }) else { return false }
        guard Self.canBegin(text) else { return false }
        let before = candidates.count
        for (name, form, hasZone) in Self.named where !isNumber {
            add(name, form, hasZone, text)
        }
        for (name, form) in Self.numbers(text) {
            add(name, form, name != "excel", text)
        }
        if isNumber { return candidates.count > before }
        for (name, pattern) in DateShapes.patterns where (try? pattern.scan(text)) != nil {
            add(name, .pattern(pattern), pattern.hasZone, text)
        }
        return candidates.count > before
    }

    /// Whether a date can begin so: with a digit, or with the name of a month or weekday, or `/Date(`. It spares codes such
    /// as `c1234` the search through all patterns.
    private static func canBegin(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        if (0x30...0x39).contains(first) || first == UInt8(ascii: "/") { return true }
        return text.prefix(3).count == 3
            && text.prefix(3).allSatisfy { $0 >= 0x80 || (0x61...0x7A).contains($0 | 0x20) }
    }

    private static let named: [(String, DateTextReader.Form, Bool)] = [
        ("iso8601", .iso8601, false), ("dotnet", .dotNet, true),
    ]

    /// The formats that a number of this length can have.
    private static func numbers(_ text: UnsafeBufferPointer<UInt8>) -> [(String, DateTextReader.Form)] {
        let whole = text.prefix { (0x30...0x39).contains($0) }
        guard whole.count == text.count || text[whole.count] == UInt8(ascii: ".") else { return [] }
        return switch whole.count {
        case 5: [("excel", .serial(.from1900))]
        case 9: [("core-data", .seconds), ("unix", .unix(milliseconds: false))]
        case 10: [("unix", .unix(milliseconds: false))]
        case 13: [("unix-ms", .unix(milliseconds: true))]
        default: []
        }
    }

    private mutating func add(
        _ name: String, _ form: DateTextReader.Form, _ hasZone: Bool, _ text: UnsafeBufferPointer<UInt8>
    ) {
        let reader = DateTextReader([form], timeZone: .gmt, policy: .earlier)
        var candidate = Candidate(name: name, form: form, hasZone: hasZone, reader: reader)
        guard candidates.count < Self.mostCandidates, (try? candidate.reader.parse(text)) != nil else { return }
        // Of two patterns that read the same texts as the same dates, the first is enough.
        guard !candidates.contains(where: { $0.name == name }) else { return }
        candidates.append(candidate)
    }

    /// How many texts a candidate reads that none of others reads.
    private func accepted(_ index: Int, besides others: UInt32 = 0) -> Int {
        covered.reduce(0) { $0 + ($1.key & 1 << UInt32(index) != 0 && $1.key & others == 0 ? $1.value : 0) }
    }

    /// Few formats that accept all texts together: at each step the one that reads most of the texts that are left.
    var chosen: [Int] {
        var found: [Int] = []
        var mask: UInt32 = 0
        while true {
            // A format that contradicts a chosen one is its rival, not its complement.
            let possible = candidates.indices.filter { index in
                found.allSatisfy { !candidates[index].contradicted.contains($0) }
            }
            let best = possible.map { (index: $0, gain: accepted($0, besides: mask)) }.max {
                ($0.gain, $1.index) < ($1.gain, $0.index)
            }
            guard let best, best.gain > 0 else { return found }
            found.append(best.index)
            mask |= 1 << UInt32(best.index)
        }
    }

    /// The candidates that accept all texts of the first chosen one, but give other dates.
    var rivals: [Int] {
        guard let first = chosen.first else { return [] }
        return candidates[first].contradicted.filter { accepted($0) == accepted(first) }.sorted()
    }

    /// The values of the option `date-format` that read the column.
    var chosenNames: [String] { chosen.map { candidates[$0].name } }

    var chosenForms: [DateTextReader.Form] { chosen.map { candidates[$0].form } }

    /// Two formats that read all texts, but as other dates.
    var firstRival: (String, String)? {
        guard let first = chosen.first, let rival = rivals.first else { return nil }
        return (candidates[first].name, candidates[rival].name)
    }

    /// Whether no format of other columns reads a text of the column as another date.
    func agree(with names: [String]) -> Bool {
        let own = chosen
        return candidates.indices.allSatisfy { index in
            own.contains(index) || !names.contains(candidates[index].name)
                || candidates[index].contradicted.isDisjoint(with: own)
        }
    }

    /// Whether a text names no time zone.
    var needsZone: Bool {
        chosen.contains { candidates[$0].name == "iso8601" ? hasBareISO : !candidates[$0].hasZone }
    }

    var isLikely: Bool { count > 0 && !isHopeless && Double(count - others) >= 0.95 * Double(count) }
}
