package import Foundation

/// A date format such as `d.M.yyyy HH:mm`, with the letters of Unicode (UTS 35, "Date Field Symbol Table"). It is
/// compiled once for each file.
///
/// | letters | text |
/// |---|---|
/// | `yyyy`, `yy` | a year with four digits; with two: 70 to 99 are 1970 to 1999, 00 to 69 are 2000 to 2069 |
/// | `MM`, `M`, `MMM`, `MMMM` | a month with two digits, with one or two, its short name, its name |
/// | `dd`, `d` | a day with two digits, with one or two; after a space, a day of one digit can have another space |
/// | `EEE`, `EEEE` | the short name or the name of the weekday, which must match the date |
/// | `HH`, `H`, `hh`, `h`, `a` | an hour from 0 to 23; from 1 to 12, with AM or PM |
/// | `mm`, `m`, `ss`, `s` | minutes and seconds |
/// | `S` to `SSSSSSSSS` | a fraction with this number of digits |
/// | `Z`, `XXX`, `XX`, `X` | an offset: `+0200`; `+02:00`, `+0200` or `+02`, or `Z` |
/// | `VV` | the name of a zone in the IANA list, such as `Europe/Berlin` |
///
/// Other letters must be quoted with single quotes; two single quotes are one literal quote. Names are compared
/// case-insensitively and without a trailing dot. The result depends neither on the machine's locale nor on the current
/// date.
package struct DatePattern: Sendable, Hashable {
    enum Item: Sendable, Hashable {
        case year, yearOfCentury
        /// Whether the field has exactly two digits; otherwise it has one or two.
        case month(Bool), day(Bool), hour(Bool), hour12(Bool), minute(Bool), second(Bool)
        case monthName(short: Bool)
        case weekday(short: Bool)
        case period
        case fraction(Int)
        /// `+0200`, without a Z.
        case offset
        /// `+02:00` (3), `+0200` (2) or `+02` (1), or `Z`.
        case offsetOrZ(Int)
        case zoneName
        case literal(UInt8)

        /// The unit that the field sets. A pattern can set each unit only once.
        var meaning: String? {
            switch self {
            case .year, .yearOfCentury: "year"
            case .month, .monthName: "month"
            case .day: "day"
            case .hour, .hour12: "hour"
            case .minute: "minute"
            case .second: "second"
            case .period: "period"
            case .fraction: "fraction"
            case .offset, .offsetOrZ, .zoneName: "zone"
            case .weekday: "weekday"
            case .literal: nil
            }
        }

        /// Whether the field has one or two digits, so that a following digit would be read as part of it.
        var isVariable: Bool {
            switch self {
            case .month(let isFixed), .day(let isFixed), .hour(let isFixed), .hour12(let isFixed), .minute(let isFixed),
                .second(let isFixed):
                !isFixed
            default: false
            }
        }

        var isName: Bool {
            switch self {
            case .monthName, .weekday, .period: true
            default: false
            }
        }

        var beginsWithDigit: Bool {
            switch self {
            case .year, .yearOfCentury, .month, .day, .hour, .hour12, .minute, .second, .fraction: true
            case .literal(let byte): ASCII.isDigit(byte)
            default: false
            }
        }

        init?(field: Character, width: Int) {
            switch (field, width) {
            case ("y", 4): self = .year
            case ("y", 2): self = .yearOfCentury
            case ("M", 1), ("M", 2): self = .month(width == 2)
            case ("M", 3), ("M", 4): self = .monthName(short: width == 3)
            case ("d", 1), ("d", 2): self = .day(width == 2)
            case ("E", 1...4): self = .weekday(short: width < 4)
            case ("H", 1), ("H", 2): self = .hour(width == 2)
            case ("h", 1), ("h", 2): self = .hour12(width == 2)
            case ("a", 1): self = .period
            case ("m", 1), ("m", 2): self = .minute(width == 2)
            case ("s", 1), ("s", 2): self = .second(width == 2)
            case ("S", 1...9): self = .fraction(width)
            case ("Z", 1...3): self = .offset
            case ("Z", 5): self = .offsetOrZ(3)
            case ("X", 1...3): self = .offsetOrZ(width)
            case ("V", 2): self = .zoneName
            default: return nil
            }
        }
    }

    let items: [Item]
    let hasTime: Bool
    let names: DateNames

    /// A pattern of fields that are not checked.
    init(items: [Item]) {
        self.items = items
        hasTime = true
        names = DateNames(nil)
    }

    /// - Parameter locale: the locale of the names of months and weekdays and of AM and PM; nil for English.
    /// - Throws: `syntax` for an unknown field, a field that occurs twice, or a unit without the next larger one.
    package init(_ pattern: String, locale: Locale? = nil) throws(ValueTextError) {
        var items: [Item] = []
        var rest = Substring(pattern)
        while let first = rest.first {
            if first == "'" {
                rest.removeFirst()
                items += try Self.quoted(&rest)
            } else if first.isASCII, first.isLetter {
                let run = rest.prefix { $0 == first }
                guard let item = Item(field: first, width: run.count) else {
                    throw .syntax("\(run) is not a field of a date format; write other letters in single quotes")
                }
                items.append(item)
                rest.removeFirst(run.count)
            } else {
                items += first.utf8.map(Item.literal)
                rest.removeFirst()
            }
        }
        try Self.check(items)
        self.items = items
        let meanings = Set(items.compactMap(\.meaning))
        hasTime = meanings.contains("hour")
        // Loading a locale's names is slow, so they are loaded only for patterns that have names.
        names = DateNames(meanings.contains("period") || items.contains(where: \.isName) ? locale : nil)
    }

    private static func check(_ items: [Item]) throws(ValueTextError) {
        let fields = items.compactMap(\.meaning)
        let has = Set(fields)
        guard has.isSuperset(of: ["year", "month", "day"]) else {
            throw .syntax("a date format needs a year (yyyy), a month (MM) and a day (dd)")
        }
        guard has.count == fields.count else { throw .syntax("a date format has the same field twice") }
        let needs = [
            ("minute", "hour"), ("second", "minute"), ("fraction", "second"), ("zone", "hour"), ("period", "hour"),
        ]
        for (small, large) in needs where has.contains(small) && !has.contains(large) {
            throw .syntax("a date format has a unit without the next larger one, such as mm without HH")
        }
        let isTwelve = items.contains { if case .hour12 = $0 { true } else { false } }
        guard isTwelve == has.contains("period") else {
            throw .syntax("a date format must have h together with a (AM and PM), or H without a")
        }
        guard has.contains("minute") || isTwelve || !has.contains("hour") else {
            throw .syntax("a date format with HH needs mm")
        }
        for (item, next) in zip(items, items.dropFirst()) where item.isVariable && next.beginsWithDigit {
            throw .syntax(
                "a field with one or two digits is followed by digits, so its end is ambiguous; write dd, MM …")
        }
    }

    /// Parses the rest of a quoted text, after its opening quote.
    private static func quoted(_ rest: inout Substring) throws(ValueTextError) -> [Item] {
        if rest.first == "'" {
            rest.removeFirst()
            return [.literal(UInt8(ascii: "'"))]
        }
        var items: [Item] = []
        while let next = rest.popFirst() {
            if next != "'" {
                items += next.utf8.map(Item.literal)
            } else if rest.first == "'" {
                rest.removeFirst()
                items.append(.literal(UInt8(ascii: "'")))
            } else {
                return items
            }
        }
        throw .syntax("a quote in a date format is not closed")
    }
}

extension DatePattern {
    /// Whether the pattern has a time zone.
    package var hasZone: Bool { items.contains { $0.meaning == "zone" } }

    /// A date in this format, for messages: `29.07.2026 14:30`.
    package var example: String {
        var text: [UInt8] = []
        let isTwelve = items.contains(.period)
        for item in items {
            switch item {
            case .year: text += "2026".utf8
            case .yearOfCentury: text += "26".utf8
            case .month(let isFixed): text += (isFixed ? "07" : "7").utf8
            case .monthName(let isShort): text += (names.months(short: isShort)[6].first ?? "").utf8
            case .day: text += "29".utf8
            case .weekday(let isShort): text += (names.weekdays(short: isShort)[3].first ?? "").utf8
            case .hour, .hour12: text += (isTwelve ? "02" : "14").utf8
            case .period: text += (names.periods[1].first ?? "").utf8
            case .minute: text += "30".utf8
            case .second: text += "15".utf8
            case .fraction(let count): text += "250000000".utf8.prefix(count)
            case .offset: text += "+0200".utf8
            case .offsetOrZ(let width): text += ["+02", "+0200", "+02:00"][max(0, min(width, 3) - 1)].utf8
            case .zoneName: text += "Europe/Berlin".utf8
            case .literal(let byte): text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
