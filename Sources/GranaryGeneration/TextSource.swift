import Foundation

/// The texts of a kind in a language, numbered from 0. Different numbers give different texts.
package struct TextSource: Sendable {
    let size: UInt64
    private let make: @Sendable (UInt64) -> String

    init(_ kind: TextKind, _ lists: WordLists) {
        switch kind {
        case .firstName: self.init(lists.firstNames)
        case .lastName: self.init(lists.lastNames)
        case .city: self.init(lists.cities)
        case .country: self.init(lists.countries)
        case .color: self.init(lists.colors)
        case .word: self.init(lists.words)
        case .name:
            self.init([lists.firstNames.count, lists.lastNames.count]) {
                lists.writing.wholeName(first: lists.firstNames[$0[0]], last: lists.lastNames[$0[1]])
            }
        case .username:
            let (first, last) = (lists.firstNames.map(lists.ascii), lists.lastNames.map(lists.ascii))
            self.init([first.count, last.count]) { "\(first[$0[0]]).\(last[$0[1]])" }
        case .email:
            let (first, last) = (lists.firstNames.map(lists.ascii), lists.lastNames.map(lists.ascii))
            let domains = ["example.com", "example.org", "example.net"]
            // Numbers after the name make enough addresses for any count.
            self.init([first.count, last.count, domains.count, 10_000_000]) { digits in
                let number = digits[3] == 0 ? "" : "\(digits[3] + 1)"
                return "\(first[digits[0]]).\(last[digits[1]])\(number)@\(domains[digits[2]])"
            }
        case .phone:
            self.init([1000, 10_000]) { lists.phonePrefix + "\(Self.padded($0[0], 3)) \(Self.padded($0[1], 4))" }
        case .street:
            self.init([lists.streets.count, 200]) {
                lists.numberPrecedesStreet
                    ? "\($0[1] + 1) \(lists.streets[$0[0]])" : "\(lists.streets[$0[0]]) \($0[1] + 1)"
            }
        case .postcode: self.init([90_000]) { "\($0[0] + 10_000)" }
        case .company:
            self.init([lists.lastNames.count, lists.companySuffixes.count]) {
                "\(lists.lastNames[$0[0]]) \(lists.companySuffixes[$0[1]])"
            }
        case .title:
            self.init([lists.words.count, lists.words.count]) {
                Self.capital(lists.words[$0[0]]) + lists.writing.wordSeparator + Self.capital(lists.words[$0[1]])
            }
        case .sentence:
            self.init(Array(repeating: lists.words.count, count: 6)) { digits in
                var text = Self.capital(lists.words[digits[0]])
                for place in 1..<6 { text += lists.writing.wordSeparator + lists.words[digits[place]] }
                return text + lists.writing.fullStop
            }
        case .url:
            let words = lists.words.map(lists.ascii)
            self.init([words.count, 1_000_000]) { "https://example.com/\(words[$0[0]])/\($0[1] + 1)" }
        case .code:
            self.init([26, 26, 1_000_000]) {
                "\(Self.letter($0[0]))\(Self.letter($0[1]))-\(Self.padded($0[2], 6))"
            }
        case .uuid: self.init(size: ValueDomain.sizeLimit) { UUIDBits.value(at: $0).uuidString }
        case .uuidLower: self.init(size: ValueDomain.sizeLimit) { UUIDBits.value(at: $0).uuidString.lowercased() }
        case .uuidPlain:
            self.init(size: ValueDomain.sizeLimit) {
                UUIDBits.value(at: $0).uuidString.lowercased().filter { $0 != "-" }
            }
        case .region: self.init(lists.regions)
        case .timeZone: self.init(lists.timeZones)
        case .latitude, .longitude:
            let coordinates = NearbyCoordinates(lists.places.map { kind == .latitude ? $0.latitude : $0.longitude })
            self.init(size: coordinates.count) { Place.text(ofCoordinate: coordinates[$0]) }
        case .paragraph:
            let sentences = TextSource(.sentence, lists)
            self.init(size: sentences.size) { Self.paragraph(sentences, lists.writing.wordSeparator, $0) }
        case .ipv4: self.init(size: TechnicalTexts.ipv4Count, TechnicalTexts.ipv4)
        case .ipv6: self.init(size: TechnicalTexts.ipv6Count, TechnicalTexts.ipv6)
        case .currency: self.init(TechnicalTexts.currencies)
        case .iban: self.init(size: TechnicalTexts.ibanCount, TechnicalTexts.iban)
        case .cardNumber: self.init(size: TechnicalTexts.cardCount, TechnicalTexts.cardNumber)
        case .hexColor:
            self.init(size: 1 << 24) { index in
                let digits = String(index, radix: 16)
                return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
            }
        }
    }

    private init(size: UInt64, _ make: @escaping @Sendable (UInt64) -> String) {
        self.size = size
        self.make = make
    }

    private init(_ list: [String]) {
        self.init(size: UInt64(list.count)) { list[Int($0 % UInt64(list.count))] }
    }

    /// Texts made from at most 8 digits with these limits; the first digit changes fastest.
    ///
    /// - Parameter make: receives the digits. A vector needs no memory of its own, unlike an array.
    private init(_ limits: [Int], _ make: @escaping @Sendable (SIMD8<Int>) -> String) {
        // The products of these small limits are below 2^62.
        self.init(size: limits.reduce(1) { $0 * UInt64($1) }) { index in
            var rest = index
            var digits = SIMD8<Int>()
            for (place, limit) in limits.prefix(8).enumerated() {
                digits[place] = Int(rest % UInt64(limit))
                rest /= UInt64(limit)
            }
            return make(digits)
        }
    }

    func text(at index: UInt64) -> String { make(index) }

    /// The texts, and each of them with numbers.
    var numbered: TextSource {
        let (size, make) = (self.size, self.make)
        return TextSource(size: size * 1_000_000) { index in
            let number = index / size
            return make(index % size) + (number == 0 ? "" : " \(number + 1)")
        }
    }

    /// Whether numbers can be added to the texts of a kind.
    static func canBeNumbered(_ kind: TextKind) -> Bool {
        switch kind {
        case .name, .firstName, .lastName, .username, .city, .country, .region, .street, .company, .color, .word,
            .title:
            true
        default: false
        }
    }

    private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func letter(_ number: Int) -> Character {
        Character(Unicode.Scalar(UInt8(truncatingIfNeeded: 65 + number)))
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The sentence with the number, and two to four others, which depend on it.
    private static func paragraph(_ sentences: TextSource, _ separator: String, _ index: UInt64) -> String {
        var rest = RandomStream.mixed(index &+ 1)
        var text = sentences.text(at: index)
        for _ in 0..<2 + rest % 3 {
            rest = RandomStream.mixed(rest)
            text += separator + sentences.text(at: rest % max(1, sentences.size))
        }
        return text
    }

    /// A word in lower case with the letters a to z. The lists have no two words that become equal.
    package static func ascii(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
            case "A"..."Z": result += scalar.properties.lowercaseMapping
            default: result += LatinLetters.spelling(of: scalar.value).description
            }
        }
        return result
    }
}
