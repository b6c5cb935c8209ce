import GranaryBase
import GranaryModel

/// Counts the values of an attribute that look personal.
struct ContentTally {
    let attribute: Schema.Attribute
    private var count = 0
    private var whole: [ContentKind: Int] = [:]
    private var inside: [ContentKind: Int] = [:]

    /// The characters of a longer text that are looked at.
    private static let characters = 1000

    init(_ attribute: Schema.Attribute) { self.attribute = attribute }

    /// Whether the type can have such values.
    static func isPossible(_ attribute: Schema.Attribute) -> Bool {
        switch attribute.type {
        case .string, .decimal, .double: true
        default: false
        }
    }

    mutating func note(_ value: BorrowedValue) {
        switch value {
        case .text(let bytes) where !bytes.isEmpty:
            note(String(decoding: bytes.prefix(Self.characters * 4), as: UTF8.self).prefix(Self.characters))
        case .double(let number): noteNumber("\(number)")
        case .decimal(let number): noteNumber("\(number)")
        default: break
        }
    }

    private mutating func noteNumber(_ text: String) {
        count += 1
        if ContentKind.isCoordinate(text[...], limit: 180) { whole[.coordinates, default: 0] += 1 }
    }

    private mutating func note(_ text: Substring) {
        count += 1
        let trimmed = text.trimmed
        if let kind = ContentKind.allCases.first(where: { $0.matches(trimmed) }) {
            whole[kind, default: 0] += 1
            return
        }
        let words = trimmed.split { $0.isWhitespace || ",;()<>\"".contains($0) }
        for kind in ContentKind.allCases
        where kind.isFoundInside && words.contains(where: { kind.matches($0) || kind.matches($0.dropLast()) }) {
            inside[kind, default: 0] += 1
        }
    }

    /// What the values look like; nil if they do not look personal. The kind is that of most values.
    var finding: (reason: String, kind: ContentKind?)? {
        let most = ContentKind.allCases.max { (whole[$0] ?? 0) < (whole[$1] ?? 0) }
        if let most, let found = whole[most], found * 2 >= count {
            return ("\(found) of \(count) values looked at are \(most.phrase)", most)
        }
        for kind in ContentKind.allCases {
            let found = (inside[kind] ?? 0) + (whole[kind] ?? 0)
            guard found > 0, kind.isFoundInside else { continue }
            return ("\(found) of \(count) values looked at contain \(kind.phrase)", nil)
        }
        return nil
    }
}
