import GranaryBase
import GranaryGeneration

/// A kind of personal value that can be told from the value.
enum ContentKind: CaseIterable {
    // A card number can look like a telephone number, so it is first.
    case email, iban, cardNumber, address, coordinates, phone, name

    /// In the plural, after a count of values.
    var phrase: String {
        switch self {
        case .email: "e-mail addresses"
        case .iban: "bank accounts (IBAN)"
        case .cardNumber: "card numbers"
        case .address: "IP addresses"
        case .coordinates: "coordinates"
        case .phone: "telephone numbers"
        case .name: "names of persons"
        }
    }

    /// The decision to propose, and its text, if the attribute can have it.
    var proposal: (text: String, decision: AnonymisationRules.Decision) {
        switch self {
        case .email: Self.generate(.email)
        case .iban: Self.generate(.iban)
        case .cardNumber: Self.generate(.cardNumber)
        case .address: Self.generate(.ipv4)
        case .coordinates: ("noise -1..1", .noise(.range(-1, 1)))
        case .phone: Self.generate(.phone)
        case .name: Self.generate(.name)
        }
    }

    private static func generate(_ kind: TextKind) -> (String, AnonymisationRules.Decision) {
        ("generate \(kind.rawValue)", .generate(.text(kind), text: kind.rawValue))
    }

    /// Whether a longer text can contain values of the kind that are recognised.
    var isFoundInside: Bool {
        switch self {
        case .email, .iban, .cardNumber, .address: true
        case .coordinates, .phone, .name: false
        }
    }

    /// Whether a text has the form of this kind, such as that of an e-mail address.
    func matches(_ text: Substring) -> Bool {
        switch self {
        case .email: Self.isEmail(text)
        case .iban: Self.isIBAN(text)
        case .cardNumber: Self.isCardNumber(text)
        case .address: Self.isIPv4(text) || Self.isIPv6(text)
        case .coordinates: Self.areCoordinates(text)
        case .phone: Self.isPhone(text)
        case .name: PersonNames.contains(text)
        }
    }

    private static func isEmail(_ text: Substring) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace) else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty } && labels.last?.allSatisfy(\.isLetter) ?? false
    }

    private static func isIBAN(_ text: Substring) -> Bool {
        let bytes = text.uppercased().utf8.filter { $0 != UInt8(ascii: " ") }
        guard (15...34).contains(bytes.count), bytes.prefix(2).allSatisfy(isCapital),
            bytes.dropFirst(2).prefix(2).allSatisfy(isDigit), bytes.allSatisfy({ isCapital($0) || isDigit($0) })
        else { return false }
        return TechnicalTexts.remainder97(Array(bytes.dropFirst(4)) + Array(bytes.prefix(4))) == 1
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isCardNumber(_ text: Substring) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard (13...19).contains(digits.count), digits.allSatisfy(isDigit), Set(digits).count > 1 else { return false }
        return TechnicalTexts.luhn(String(decoding: digits, as: UTF8.self)) == 0
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) && UInt8($0) != nil }
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (3...8).contains(parts.count), parts.count == 8 || text.contains("::"), text.utf8.count >= 6 else {
            return false
        }
        return parts.allSatisfy { $0.utf8.count <= 4 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    private static func areCoordinates(_ text: Substring) -> Bool {
        let parts = text.split { $0 == "," || $0 == ";" }.map { $0.trimmed }
        guard parts.count == 2 else { return false }
        return zip(parts, [90, 180]).allSatisfy { isCoordinate($0, limit: $1) }
    }

    /// Whether a text is a number of degrees: with four places or more, as a position has.
    static func isCoordinate(_ text: Substring, limit: Double) -> Bool {
        guard let number = Double(text), number.magnitude <= limit, let point = text.firstIndex(of: ".") else {
            return false
        }
        let places = text[text.index(after: point)...]
        return places.utf8.count >= 4 && places.utf8.allSatisfy(isDigit)
    }

    private static func isPhone(_ text: Substring) -> Bool {
        let digits = text.utf8.count(where: isDigit)
        guard (7...15).contains(digits), let first = text.first else { return false }
        let isWritten = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-()/. ".contains($0)) }
        // A plain number is none, nor is a date or a decimal.
        return isWritten && (first == "+" || first == "(" || first == "0") && text.count(where: { $0 == "." }) != 1
            && !text.dropFirst(4).hasPrefix("-")
    }
}

extension Substring {
    /// The text without blanks at its ends.
    var trimmed: Substring {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
