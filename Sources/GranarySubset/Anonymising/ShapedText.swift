import Foundation

/// A text with the characters that can be replaced and the shape that stays: the kinds of characters and their places.
struct ShapedText {
    /// Which characters are replaced.
    enum Extent {
        /// Letters and digits.
        case all
        /// Digits only.
        case digits
    }

    private(set) var scalars: [Unicode.Scalar]
    private var members: [Member] = []
    /// The numbers of the members in their alphabets.
    private var digits: [SequenceCipher.Digit] = []
    /// What a replacement keeps, in UTF-8: the other characters and the kinds of those that are replaced.
    private var shape: [UInt8] = []
    /// Whether percent escapes stay escapes.
    private(set) var hasEscapes = false

    /// A character that can be replaced.
    private struct Member {
        let place: Int
        let alphabet: Int
    }

    /// Whether there is nothing to replace.
    var isFixed: Bool { members.isEmpty }

    var text: String { TextScalars.text(scalars) }

    /// Finds the characters to replace.
    ///
    /// - Parameters:
    ///   - isURI: whether the scheme stays and percent escapes stay escapes, as in any text with `://`.
    ///   - continuesURI: whether the text is a later piece of such a text.
    init(
        _ scalars: [Unicode.Scalar], extent: Extent = .all, isURI: Bool = false, continuesURI: Bool = false,
        _ table: inout Alphabets
    ) {
        self.scalars = scalars
        members.reserveCapacity(scalars.count)
        digits.reserveCapacity(scalars.count)
        let hex = extent == .all ? Self.hexAlphabet(scalars) : nil
        let start = continuesURI ? 0 : Self.schemeEnd(scalars, isURI: isURI)
        hasEscapes = isURI || continuesURI || start > 0
        var place = start
        while place < scalars.count {
            if hasEscapes, scalars[place] == "%", let digits = escapeDigits(at: place) {
                if extent == .all { addEscape(at: place, digits, table) }
                place += 3
                continue
            }
            let alphabet = hex.flatMap { scalars[place] == "-" ? nil : $0 } ?? table.alphabet(of: scalars[place])
            let isWanted = extent == .all || alphabet == Alphabets.digits
            if let alphabet, isWanted { add(place, alphabet, table) }
            place += 1
        }
        describe()
    }

    /// The digits of a number that is not 0: the sign, the point, the exponent and zeros at the beginning stay, and the
    /// first and the last digit do not become 0.
    init(number text: String, _ table: Alphabets) {
        scalars = Array(text.unicodeScalars)
        let mantissa = scalars.prefix { $0 != "e" && $0 != "E" }
        let point = mantissa.firstIndex(of: ".")
        var end = mantissa.count
        // `72.0` is a whole number.
        if let point, mantissa[(point + 1)...].allSatisfy({ $0 == "0" }) { end = point }
        guard let first = mantissa.firstIndex(where: { ("1"..."9").contains($0) }) else { return }
        for place in first..<end where ("0"..."9").contains(scalars[place]) {
            let isLastDecimal = place == end - 1 && point != nil && end > (point ?? 0)
            add(place, place == first || isLastDecimal ? Alphabets.leading : Alphabets.digits, table)
        }
        describe()
    }

    /// Whether the text has letters and another text of its shape has the same ones, so that only digits differ.
    func keepsLetters(_ other: [Unicode.Scalar]) -> Bool {
        var hasLetters = false
        var next = 0
        for (place, scalar) in other.enumerated() {
            guard next < members.count else { break }
            guard members[next].place == place else { continue }
            let isDigit = members[next].alphabet == Alphabets.digits
            next += 1
            if isDigit { continue }
            guard scalars[place] == scalar else { return false }
            hasLetters = true
        }
        return hasLetters
    }

    /// Replaces the characters by others of the same shape, as a bijection of all texts of this shape.
    mutating func scramble(_ cipher: SequenceCipher, _ table: Alphabets) {
        cipher.encrypt(&digits, shape: shape)
        for (member, digit) in zip(members, digits) {
            scalars[member.place] = table.all[member.alphabet].scalars[Int(digit.number)]
        }
    }

    private mutating func add(_ place: Int, _ alphabet: Int, _ table: Alphabets) {
        let members = table.all[alphabet]
        guard let index = members.index(of: scalars[place]) else { return }
        self.members.append(Member(place: place, alphabet: alphabet))
        digits.append(SequenceCipher.Digit(number: UInt64(index), limit: UInt64(members.scalars.count)))
    }

    /// The digits of a percent escape; nil for a percent sign without two.
    private func escapeDigits(at percent: Int) -> (first: Int, second: Int)? {
        guard percent + 2 < scalars.count, scalars[percent + 1].isASCII, scalars[percent + 2].isASCII,
            let first = Character(scalars[percent + 1]).hexDigitValue,
            let second = Character(scalars[percent + 2]).hexDigitValue
        else { return nil }
        return (first: first, second: second)
    }

    /// Replaces the second digit of an escape so that it stands for a character of the same kind: a letter or digit of
    /// ASCII, or one beyond, whose bytes after the first change within valid UTF-8. Other escapes stay.
    private mutating func addEscape(at percent: Int, _ digits: (first: Int, second: Int), _ table: Alphabets) {
        // The case of the second digit; that of the first if the second has none.
        let isLower = ("a"..."f").contains(scalars[digits.second < 10 ? percent + 1 : percent + 2])
        let alphabet: Int
        switch digits {
        case (3, 0...9): alphabet = Alphabets.digits
        case (4, 1...), (6, 1...): alphabet = isLower ? Alphabets.lowercaseFirstHalf : Alphabets.uppercaseFirstHalf
        case (5, ...10), (7, ...10): alphabet = isLower ? Alphabets.lowercaseSecondHalf : Alphabets.uppercaseSecondHalf
        case (8...11, _): alphabet = isLower ? Alphabets.lowercaseHex : Alphabets.uppercaseHex
        default: return
        }
        add(percent + 2, alphabet, table)
    }

    private mutating func describe() {
        guard !members.isEmpty else { return }
        shape.reserveCapacity(scalars.count + 3 * members.count)
        var next = 0
        for (place, scalar) in scalars.enumerated() {
            guard next < members.count, members[next].place == place else {
                TextScalars.append(scalar, to: &shape)
                continue
            }
            // The first character stands for the alphabet, whose number depends on the order of texts. U+0000 keeps it
            // apart from a character that stays.
            shape.append(0)
            let limit = digits[next].limit
            if limit < 10 {
                shape.append(UInt8(truncatingIfNeeded: 0x30 + limit))
            } else if limit < 100 {
                shape.append(UInt8(truncatingIfNeeded: 0x30 + limit / 10))
                shape.append(UInt8(truncatingIfNeeded: 0x30 + limit % 10))
            } else {
                shape.append(contentsOf: "\(limit)".utf8)
            }
            TextScalars.append(Self.representative(scalar, members[next].alphabet), to: &shape)
            next += 1
        }
    }

    private static func representative(_ scalar: Unicode.Scalar, _ alphabet: Int) -> Unicode.Scalar {
        switch alphabet {
        case Alphabets.digits, Alphabets.leading, Alphabets.lowercaseHex...Alphabets.uppercaseSecondHalf: "0"
        case Alphabets.lowercase: "a"
        case Alphabets.uppercase: "A"
        default:
            // The first number of the block.
            Unicode.Scalar(scalar.value & ~(scalar.value >= 0x3000 ? 4095 : 127)) ?? "?"
        }
    }

    /// The alphabet of a text that is a UUID; nil for other texts.
    private static func hexAlphabet(_ scalars: [Unicode.Scalar]) -> Int? {
        guard scalars.count == 36, scalars[8] == "-", UUID(uuidString: TextScalars.text(scalars)) != nil else {
            return nil
        }
        let hasLower = scalars.contains { ("a"..."f").contains($0) }
        let hasUpper = scalars.contains { ("A"..."F").contains($0) }
        if hasLower && hasUpper { return nil }
        return hasLower ? Alphabets.lowercaseHex : Alphabets.uppercaseHex
    }

    /// The number of characters up to the end of `https://` or `urn:`; 0 for a text without a scheme.
    private static func schemeEnd(_ scalars: [Unicode.Scalar], isURI: Bool) -> Int {
        guard let colon = scalars.prefix(40).firstIndex(of: ":"), colon > 0 else { return 0 }
        guard scalars[..<colon].allSatisfy(isInScheme) else { return 0 }
        let slashes = scalars[(colon + 1)...].prefix(2)
        if slashes.count == 2, slashes.allSatisfy({ $0 == "/" }) { return colon + 3 }
        return isURI ? colon + 1 : 0
    }

    private static func isInScheme(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
        default: false
        }
    }
}
