import Foundation
import TestSupport

@testable import GranaryPropertyLists

/// Generated property lists, and the same as Foundation's objects.
struct RandomTree {
    var generator: SeededGenerator
    /// XML holds whole seconds and no -0.0 as Foundation writes it.
    var forXML = false

    init(seed: UInt64, forXML: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.forXML = forXML
    }

    mutating func value(depth: Int = 4) -> PropertyListValue {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &generator) {
        case 0, 1: return .string(text())
        case 2: return .integer(Int64(bitPattern: UInt64.random(in: 0 ... .max, using: &generator)))
        case 3: return .integer(Int64.random(in: -300...70_000, using: &generator))
        case 4: return .real(Double.random(in: -1e9...1e9, using: &generator))
        case 5: return .boolean(Bool.random(using: &generator))
        case 6:
            let seconds = Double.random(in: -3e9...3e9, using: &generator)
            return .date(forXML ? seconds.rounded() : seconds)
        case 7: return .data((0..<Int.random(in: 0...120, using: &generator)).map { UInt8(truncatingIfNeeded: $0 * 7) })
        case 8, 9: return .array((0..<Int.random(in: 0...20, using: &generator)).map { _ in value(depth: depth - 1) })
        default:
            var keys = Set<String>()
            for _ in 0..<Int.random(in: 0...20, using: &generator) { keys.insert(text()) }
            return .dictionary(
                keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                    .map { PropertyListEntry($0, value(depth: depth - 1)) })
        }
    }

    mutating func text() -> String {
        let alphabet = ["a", "Z", "0", " ", "<", "&", ">", "\"", "é", "ß", "漢", "😀", "\n", "\t", "]"]
        return (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? ""
        }.joined()
    }
}

extension PropertyListValue {
    /// The same list as Foundation's objects.
    var foundation: Any {
        switch self {
        case .string(let value): value
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): Data(bytes)
        case .array(let values): values.map(\.foundation)
        case .dictionary(let entries):
            Dictionary(entries.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 })
        case .uid(let value): "uid \(value)"
        }
    }

    /// With all keys in byte order; Foundation writes dictionaries in an order of its own.
    var sorted: PropertyListValue {
        switch self {
        case .array(let values): .array(values.map(\.sorted))
        case .dictionary(let entries):
            .dictionary(
                entries.map { PropertyListEntry($0.key, $0.value.sorted) }
                    .sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) })
        default: self
        }
    }
}

func foundationEqual(_ left: Any, _ right: Any) -> Bool {
    NSArray(array: [left]).isEqual(NSArray(array: [right]))
}
