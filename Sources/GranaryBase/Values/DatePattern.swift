/// A date format of a user's own, such as `dd.MM.yyyy HH:mm`, compiled once for a file.
///
/// A closed set of Unicode's date fields (UTS 35), each of a fixed width: `yyyy` `MM` `dd` `HH` `mm` `ss`, `S` to
/// `SSSSSSSSS` for a fraction, `Z` (`+0200`) and `XXX` (`+02:00` or `Z`). Other letters stand in single quotes, two of which
/// are one quote. Nothing depends on a language or on the current day.
package struct DatePattern: Sendable, Hashable {
    private enum Item: Sendable, Hashable {
        case year, month, day, hour, minute, second
        case fraction(Int)
        /// `+0200`.
        case offset
        /// `+02:00` or `Z`.
        case offsetWithColon
        case literal(UInt8)

        /// The same field twice would contradict itself.
        var isField: Bool { if case .literal = self { false } else { true } }

        init?(field: Character, width: Int) {
            switch (field, width) {
            case ("y", 4): self = .year
            case ("M", 2): self = .month
            case ("d", 2): self = .day
            case ("H", 2): self = .hour
            case ("m", 2): self = .minute
            case ("s", 2): self = .second
            case ("S", 1...9): self = .fraction(width)
            case ("Z", 1): self = .offset
            case ("X", 3): self = .offsetWithColon
            default: return nil
            }
        }
    }

    private let items: [Item]
    private let hasTime: Bool

    /// - Throws: `syntax` for a field that is not of the set, comes twice, or lacks the larger one beside it.
    package init(_ pattern: String) throws(ValueTextError) {
        var items: [Item] = []
        var rest = Substring(pattern)
        while let first = rest.first {
            if first == "'" {
                rest.removeFirst()
                items += try Self.quoted(&rest)
            } else if first.isASCII, first.isLetter {
                let run = rest.prefix { $0 == first }
                guard let item = Item(field: first, width: run.count) else {
                    throw .syntax("\(run) is no field of a date format; write other letters in single quotes")
                }
                items.append(item)
                rest.removeFirst(run.count)
            } else {
                items += first.utf8.map(Item.literal)
                rest.removeFirst()
            }
        }
        try self.init(items)
    }

    private init(_ items: [Item]) throws(ValueTextError) {
        let fields = items.filter(\.isField)
        func has(_ item: Item) -> Bool { fields.contains(item) }
        let fractions = fields.count { if case .fraction = $0 { true } else { false } }
        guard has(.year), has(.month), has(.day) else { throw .syntax("a date format needs yyyy, MM and dd") }
        guard Set(fields).count == fields.count, fractions <= 1, !(has(.offset) && has(.offsetWithColon)) else {
            throw .syntax("a field of a date format comes twice")
        }
        guard has(.hour) || !(has(.minute) || has(.offset) || has(.offsetWithColon)), has(.minute) || !has(.second),
            has(.second) || fractions == 0
        else { throw .syntax("a date format has a small unit without the next larger one") }
        guard has(.minute) || !has(.hour) else { throw .syntax("a date format with HH needs mm") }
        self.items = items
        hasTime = has(.hour)
    }

    /// The rest of a quoted text, its first quote already gone.
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
    /// Reads a text that has each field in its place and its width, and nothing else.
    package func scan(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> WallTime {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var minute = 0
        var second = 0
        var wall = WallTime(seconds: 0, zone: .none, isDateOnly: !hasTime)
        var index = 0
        for item in items {
            let width = width(of: item, in: text, at: index)
            guard text.count &- index >= width else { throw Self.mismatch }
            switch item {
            case .year: year = DateText.twoDigits(text, index) &* 100 &+ DateText.twoDigits(text, index &+ 2)
            case .month: month = DateText.twoDigits(text, index)
            case .day: day = DateText.twoDigits(text, index)
            case .hour: hour = DateText.twoDigits(text, index)
            case .minute: minute = DateText.twoDigits(text, index)
            case .second: second = DateText.twoDigits(text, index)
            case .fraction:
                wall.fractionStart = index
                wall.fractionCount = width
                for place in index..<index &+ width {
                    guard ASCII.isDigit(text[place]) else { throw Self.mismatch }
                    wall.fraction = wall.fraction &* 10 &+ UInt64(text[place] &- ASCII.zero)
                }
            case .offset, .offsetWithColon:
                let field = UnsafeBufferPointer(rebasing: text[index..<index &+ width])
                // The one form that is shorter but would pass: a Z where the format says +0200.
                guard width > 1 || item == .offsetWithColon, width < 6 || field[3] == ASCII.colon else {
                    throw Self.mismatch
                }
                wall.zone = try .offset(DateText.offset(field, from: 0))
            case .literal(let byte):
                guard text[index] == byte else { throw Self.mismatch }
            }
            index &+= width
        }
        guard index == text.count else { throw Self.mismatch }
        let days = try DateText.days(year: year, month: month, day: day)
        wall.seconds = Int64(days &* 86_400 &+ (try DateText.seconds(hour: hour, minute: minute, second: second)))
        return wall
    }

    private func width(of item: Item, in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch item {
        case .year: 4
        case .month, .day, .hour, .minute, .second: 2
        case .fraction(let count): count
        case .offset: 5
        case .offsetWithColon: index < text.count && text[index] == UInt8(ascii: "Z") ? 1 : 6
        case .literal: 1
        }
    }

    private static let mismatch = ValueTextError.syntax("not in the date format")
}

extension DatePattern {
    /// Whether the text names its zone.
    package var hasZone: Bool { items.contains(.offset) || items.contains(.offsetWithColon) }

    /// A date as the pattern has it, for messages: `29.07.2026 14:30`.
    package var example: String {
        var text: [UInt8] = []
        for item in items {
            switch item {
            case .year: text += "2026".utf8
            case .month: text += "07".utf8
            case .day: text += "29".utf8
            case .hour: text += "14".utf8
            case .minute: text += "30".utf8
            case .second: text += "15".utf8
            case .fraction(let count): text += "250000000".utf8.prefix(count)
            case .offset: text += "+0200".utf8
            case .offsetWithColon: text += "+02:00".utf8
            case .literal(let byte): text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
