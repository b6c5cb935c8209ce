import GranaryBase
import GranaryFormats

/// What the fields of one column are.
package struct ColumnSurvey {
    /// What matters of the fields, beside the texts for NULL.
    enum Reading {
        case nothing, lists, numbers, dates, booleans
        /// Nothing is known about the column.
        case all
    }

    /// The name; of a member of an object, its path.
    package let name: String
    /// The name without the path.
    let member: String
    /// The index of the column with the object; nil for a column of the records themselves.
    let owner: Int?
    private let reading: Reading
    /// The texts that are NULL because the caller says so.
    private let nullsGiven: Set<String>
    /// The number of objects.
    private(set) var objects = 0
    /// The number of fields that are not NULL.
    package private(set) var values = 0
    /// The number of empty fields without quotes, and of nulls of JSON.
    package private(set) var nulls = 0
    /// The number of texts with spaces at their ends.
    package private(set) var spaced = 0
    /// The texts that often stand for NULL, and how often.
    package private(set) var nullWords: [String: Int] = [:]
    private(set) var quotedNullWords = 0
    private(set) var emptyQuoted = 0
    /// The different texts; nil if there are many.
    private(set) var words: [String: Int]? = [:]
    private(set) var numbers = NumberReadings()
    private(set) var dates = DateReadings()
    /// The number of values that are numbers or Booleans of JSON.
    private(set) var typed = 0
    private(set) var listSeparators: [UInt8: Int] = [:]

    private static let mostWords = 64
    private static let mostWordBytes = 40
    /// The texts that stand for NULL, in lower case.
    static let nullTexts: Set<String> = [
        "null", "nil", "none", "n/a", "na", "#n/a", "nan", "-", "--", "\\n", "?", "(null)", "undefined", "missing",
    ]

    init(
        _ name: String, member: String? = nil, of owner: Int? = nil, reads reading: Reading = .all,
        nulls: [String]? = nil
    ) {
        self.name = name
        self.member = member ?? name
        self.owner = owner
        self.reading = reading
        nullsGiven = Set(nulls ?? [])
    }

    mutating func add(_ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>) {
        switch kind {
        case .null: nulls += 1
        case .text where bytes.isEmpty: nulls += 1
        case .quoted where bytes.isEmpty:
            values += 1
            emptyQuoted += 1
        case .text, .quoted: addText(bytes, isQuoted: kind == .quoted)
        case .number, .boolean, .date, .data, .emptyList, .object, .array, .json:
            values += 1
            typed += 1
            if kind == .object { objects += 1 }
            // A model can say that a number is a date.
            if kind == .number, reading == .all || reading == .dates { dates.add(bytes, isNumber: true) }
        }
    }

    private mutating func addText(_ bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) {
        if !nullsGiven.isEmpty, !isQuoted, nullsGiven.contains(String(decoding: bytes, as: UTF8.self)) {
            nulls += 1
            return
        }
        values += 1
        var text = bytes
        if let first = bytes.first, let last = bytes.last, [0x20, 0x09].contains(first) || [0x20, 0x09].contains(last) {
            spaced += 1
            text = Self.trimmed(bytes)
        }
        if text.count <= Self.mostWordBytes {
            if Self.canBeNull(text) {
                let word = String(decoding: text, as: UTF8.self)
                if Self.nullTexts.contains(word.lowercased()), nullWords[word] != nil || nullWords.count < 8 {
                    nullWords[word, default: 0] += 1
                    if isQuoted { quotedNullWords += 1 }
                    return
                }
            }
            if words != nil, reading == .all || reading == .booleans {
                words?[String(decoding: text, as: UTF8.self), default: 0] += 1
                if words?.count ?? 0 > Self.mostWords { words = nil }
            }
        } else {
            words = nil
        }
        guard !text.isEmpty else { return }
        if reading == .lists {
            for separator in Array(";|,".utf8) where text.contains(separator) {
                listSeparators[separator, default: 0] += 1
            }
        }
        if reading == .all || reading == .numbers { numbers.add(text) }
        if reading == .dates {
            dates.add(text)
        } else if reading == .all {
            // Few digits are a number, and the search through all forms of dates takes long.
            let isNumber = text.count < 8 && text.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber { dates.skip(text) } else { dates.add(text) }
        }
    }

    /// Whether a text has the length and the first letter of a text for NULL. It spares most texts the search.
    private static func canBeNull(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, text.count <= 11 else { return false }
        switch first {
        case 0x4E, 0x6E, 0x23, 0x2D, 0x5C, 0x3F, 0x28, 0x55, 0x75, 0x4D, 0x6D: return true
        default: return false
        }
    }

    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, text.count)
        while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    // MARK: - Booleans

    /// The pairs of words for true and false.
    static let pairs = [
        ("true", "false"), ("yes", "no"), ("1", "0"), ("ja", "nein"), ("j", "n"), ("y", "n"), ("oui", "non"),
        ("si", "no"), ("sí", "no"), ("t", "f"), ("on", "off"), ("wahr", "falsch"), ("vrai", "faux"), ("sim", "não"),
        ("tak", "nie"), ("x", ""), ("da", "net"), ("o", "n"), ("v", "f"), ("w", "f"),
    ]

    /// The words for true and false, as they stand in the column; nil if there are others.
    var booleanWords: (true: [String], false: [String], isDefault: Bool)? {
        guard let words, words.count <= 4 else { return nil }
        return Self.pair(of: words)
    }

    /// The words for true and false that nearly all fields have, and the other words; nil if there are none.
    var nearlyBooleanWords: (true: [String], false: [String], isDefault: Bool, others: [String])? {
        guard let words else { return nil }
        for pair in Self.pairs.map({ [$0.0, $0.1] }) {
            let fitting = words.filter { pair.contains($0.key.lowercased()) }
            let count = fitting.values.reduce(0, +)
            guard count * 10 >= values * 9, fitting.count < words.count, let found = Self.pair(of: fitting) else {
                continue
            }
            return (found.true, found.false, found.isDefault, words.keys.filter { fitting[$0] == nil }.sorted())
        }
        return nil
    }

    private static func pair(of words: [String: Int]) -> (true: [String], false: [String], isDefault: Bool)? {
        guard !words.isEmpty else { return nil }
        for (index, pair) in Self.pairs.enumerated() {
            let (yes, no) = (
                words.keys.filter { $0.lowercased() == pair.0 }, words.keys.filter { $0.lowercased() == pair.1 }
            )
            guard yes.count + no.count == words.count else { continue }
            return (yes.sorted(), no.sorted(), index < 3)
        }
        return nil
    }

    /// The most frequent texts, by their names.
    func frequentWords(_ count: Int) -> [String] {
        guard let words, words.count <= count else { return [] }
        return words.keys.sorted()
    }

    /// Whether the column can be Boolean without a model that says so: both words occur, and they are no numbers.
    var isLikelyBoolean: Bool {
        guard let found = booleanWords, numbers.plain == 0 else { return false }
        return !found.true.isEmpty && !found.false.isEmpty
    }
}
