import GranaryBase
import TestSupport

/// Rows whose bytes are broken, and rows that collide with others.
extension FaultDamage {
    /// All that says for itself what has to be reported.
    static let kinds: [FaultDamage] = texts + rows + duplicates

    /// The same, broken rows and duplicates more often than one in a hundred.
    static let declared: [FaultDamage] = kinds + rows + duplicates

    /// The same, and random bytes in one row of three.
    static let all: [FaultDamage] = declared + Array(repeating: edit, count: declared.count / 2)

    private static let rows: [FaultDamage] = [
        FaultDamage(
            name: "missing comma", codes: [.csvRagged, .csvSyntax], needsOneLine: true,
            kind: .bytes { line, random in
                let place = Int.random(in: 0..<line.fields.count - 1, using: &random)
                var fields = line.fields
                let next = fields.remove(at: place + 1)
                fields[place] += next
                return Array(fields.joined(separator: [0x2C]))
            }),
        FaultDamage(
            name: "extra comma", codes: [.csvRagged],
            kind: .bytes { line, random in
                var fields = line.fields
                fields.insert([], at: Int.random(in: 0...fields.count, using: &random))
                return Array(fields.joined(separator: [0x2C]))
            }),
        FaultDamage(
            name: "missing field", codes: [.csvRagged],
            kind: .bytes { line, random in
                var fields = line.fields
                fields.remove(at: Int.random(in: 0..<fields.count, using: &random))
                return Array(fields.joined(separator: [0x2C]))
            }),
        FaultDamage(
            name: "extra field", codes: [.csvRagged], kind: .bytes { line, _ in line.bytes + Array(",x".utf8) }),
        FaultDamage(
            name: "unclosed quote", codes: [.csvSyntax], opensQuote: true, needsOneLine: true,
            kind: .bytes { line, random in
                guard let place = line.place(isQuoted: false, &random) else { return nil }
                var line = line
                line.fields[place].insert(0x22, at: 0)
                return line.bytes
            }),
        FaultDamage(
            name: "quote in a bare field", codes: [.csvSyntax], needsOneLine: true,
            kind: .bytes { line, random in
                guard let place = line.place(isQuoted: false, &random) else { return nil }
                var line = line
                line.fields[place].insert(0x22, at: Int.random(in: 1...line.fields[place].count, using: &random))
                return line.bytes
            }),
        FaultDamage(
            name: "text behind a closing quote", codes: [.csvSyntax], needsOneLine: true,
            kind: .bytes { line, random in
                guard let place = line.place(isQuoted: true, &random) else { return nil }
                var line = line
                line.fields[place].append(UInt8(ascii: "x"))
                return line.bytes
            }),
        encoding("a byte that is no UTF-8", [0xFF]), encoding("Latin-1", [0xE9]), encoding("half a character", [0xC3]),
        encoding("an overlong form", [0xC0, 0x80]), encoding("half a surrogate pair", [0xED, 0xA0, 0x80]),
        encoding("NUL", [0]),
    ]

    private static func encoding(_ name: String, _ bytes: [UInt8]) -> FaultDamage {
        FaultDamage(
            name: name, codes: [.encodingInvalid],
            kind: .bytes { line, random in
                guard let place = line.place(isQuoted: random.next() % 2 == 0, &random) else { return nil }
                var line = line
                line.fields[place].insert(contentsOf: bytes, at: 1)
                return line.bytes
            })
    }

    private static let duplicates: [FaultDamage] = [
        taken(.code, .uniqueDuplicate), taken(.badge, .relationshipTaken),
    ]

    /// What only one row can have, and an earlier one has.
    private static func taken(_ column: FaultColumn, _ code: Diagnostic.Code) -> FaultDamage {
        FaultDamage(
            name: "taken \(column.rawValue)", codes: [code], property: column.rawValue,
            kind: .bytes { line, _ in
                guard let place = line.columns.firstIndex(of: column), let earlier = line.earlier,
                    !earlier[place].isEmpty
                else { return nil }
                var line = line
                line.fields[place] = earlier[place]
                return line.bytes
            })
    }

    /// One byte flipped, deleted, inserted, or two swapped: the row is what its bytes say, if anything.
    private static let edit = FaultDamage(
        name: "random bytes", codes: [], opensQuote: true, needsOneLine: true,
        kind: .bytes { line, random in
            var bytes = line.bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let nasty: [UInt8] = [0x22, 0x22, 0x2C, 0x0A, 0x0D, 0x00, 0xFF, 0x20, 0x3B, 0x30]
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 3: bytes.insert(nasty.randomElement(using: &random) ?? 0, at: place)
            default:
                guard place + 1 < bytes.count, bytes[place] != bytes[place + 1] else { return nil }
                bytes.swapAt(place, place + 1)
            }
            return bytes
        })
}
