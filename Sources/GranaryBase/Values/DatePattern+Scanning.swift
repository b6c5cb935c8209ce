extension DatePattern {
    /// Parses a text that consists of exactly the pattern's fields and literals.
    package func scan(_ text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> WallTime {
        var scan = Scan(text: text)
        var wall = WallTime(seconds: 0, zone: .none, isDateOnly: !hasTime)
        for (place, item) in items.enumerated() {
            let isBeforeDot = place &+ 1 < items.count && items[place &+ 1] == .literal(ASCII.point)
            switch item {
            case .year: scan.year = try scan.number(4, 4)
            case .yearOfCentury:
                let year = try scan.number(2, 2)
                scan.year = year < Self.pivot ? 2000 &+ year : 1900 &+ year
            case .month(let isFixed): scan.month = try scan.number(isFixed ? 2 : 1, 2)
            case .monthName(let isShort):
                scan.month =
                    try scan.name(names.months(short: isShort), isBeforeDot, "an unknown month name") &+ 1
            case .day(let isFixed):
                // `ctime` pads a day of one digit with a space.
                let isPadded =
                    !isFixed && place > 0 && items[place - 1] == .literal(ASCII.space) && scan.index < text.count
                    && text[scan.index] == ASCII.space
                if isPadded { scan.index &+= 1 }
                scan.day = try scan.number(isFixed ? 2 : 1, isPadded ? 1 : 2)
            case .weekday(let isShort):
                scan.weekday = try scan.name(
                    names.weekdays(short: isShort), isBeforeDot, "an unknown weekday name")
            case .hour(let isFixed): scan.hour = try scan.number(isFixed ? 2 : 1, 2)
            case .hour12(let isFixed):
                scan.hour = try scan.number(isFixed ? 2 : 1, 2)
                guard scan.hour >= 1, scan.hour <= 12 else { throw .syntax("an hour outside 1 to 12") }
            case .period: scan.period = try scan.name(names.periods, isBeforeDot, "neither AM nor PM")
            case .minute(let isFixed): scan.minute = try scan.number(isFixed ? 2 : 1, 2)
            case .second(let isFixed): scan.second = try scan.number(isFixed ? 2 : 1, 2)
            case .fraction(let count): try scan.fraction(count, into: &wall)
            case .offset: wall.zone = .offset(try scan.offset(5, acceptsZ: false))
            case .offsetOrZ(let width): wall.zone = .offset(try scan.offset([3, 5, 6][width - 1], acceptsZ: true))
            case .zoneName: wall.zone = .named(try scan.zoneName())
            case .literal(let byte):
                guard scan.index < text.count, text[scan.index] == byte else { throw Self.mismatch }
                scan.index &+= 1
            }
        }
        guard scan.index == text.count else { throw Self.mismatch }
        let days = try DateText.days(year: scan.year, month: scan.month, day: scan.day)
        if let weekday = scan.weekday {
            // 2001-01-01 was a Monday.
            let actual = ((days &+ 1) % 7 &+ 7) % 7
            guard weekday == actual else { throw .syntax("a weekday that does not match the date") }
        }
        if let period = scan.period { scan.hour = scan.hour % 12 &+ (period == 1 ? 12 : 0) }
        let time = try DateText.seconds(hour: scan.hour, minute: scan.minute, second: scan.second)
        wall.seconds = Int64(days &* 86_400 &+ time)
        return wall
    }

    /// The first two-digit year in the 20th century; smaller ones are in the 21st.
    private static let pivot = 70

    static let mismatch = ValueTextError.syntax("not in the date format")

    /// The position in the text and the values of the fields parsed so far.
    private struct Scan {
        let text: UnsafeBufferPointer<UInt8>
        var index = 0
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var minute = 0
        var second = 0
        /// 0 for Sunday.
        var weekday: Int?
        /// 0 for AM.
        var period: Int?

        /// Parses `least` to `most` digits.
        mutating func number(_ least: Int, _ most: Int) throws(ValueTextError) -> Int {
            var value = 0
            var count = 0
            while count < most, index < text.count, ASCII.isDigit(text[index]) {
                value = value &* 10 &+ Int(text[index] &- ASCII.zero)
                index &+= 1
                count &+= 1
            }
            guard count >= least else { throw DatePattern.mismatch }
            return value
        }

        mutating func fraction(_ count: Int, into wall: inout WallTime) throws(ValueTextError) {
            wall.fractionStart = index
            wall.fractionCount = count
            wall.fraction = UInt64(truncatingIfNeeded: try number(count, count))
        }

        mutating func offset(_ width: Int, acceptsZ: Bool) throws(ValueTextError) -> Int {
            if acceptsZ, index < text.count, text[index] == UInt8(ascii: "Z") {
                index &+= 1
                return 0
            }
            guard text.count &- index >= width else { throw DatePattern.mismatch }
            let field = UnsafeBufferPointer(rebasing: text[index..<index &+ width])
            guard width < 6 || field[3] == ASCII.colon else { throw DatePattern.mismatch }
            index &+= width
            return try DateText.offset(field, from: 0)
        }

        /// Parses the name of a time zone: letters, digits, `_`, `/`, `+` and `-`.
        mutating func zoneName() throws(ValueTextError) -> Range<Int> {
            let start = index
            while index < text.count {
                let byte = text[index]
                guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || "_/+-".utf8.contains(byte) else { break }
                index &+= 1
            }
            guard index > start else { throw DatePattern.mismatch }
            return start..<index
        }

        /// Parses the longest of the names at the current position and returns its index.
        ///
        /// - Parameter isBeforeDot: whether a literal dot follows the field in the pattern. Then a dot in the text
        ///   belongs to that literal, not to an abbreviation.
        mutating func name(_ names: [[String]], _ isBeforeDot: Bool, _ reason: String) throws(ValueTextError) -> Int {
            // The text can be longer than any name.
            let end = min(text.count, index &+ 128)
            let remaining = String(decoding: UnsafeBufferPointer(rebasing: text[index..<end]), as: UTF8.self)
            let rest = remaining.lowercased()
            var found: (number: Int, folded: String)?
            for (number, spellings) in names.enumerated() {
                for spelling in spellings where !(isBeforeDot && spelling.hasSuffix(".")) {
                    let folded = spelling.lowercased()
                    if rest.hasPrefix(folded), folded.utf8.count > found?.folded.utf8.count ?? 0 {
                        found = (number, folded)
                    }
                }
            }
            guard let found else { throw .syntax(reason) }
            // Case folding keeps the number of characters but can change the number of bytes.
            index &+= remaining.prefix(found.folded.count).utf8.count
            // The text may have a dot after an abbreviation that has none in the locale.
            if !isBeforeDot, index < text.count, text[index] == ASCII.point { index &+= 1 }
            return found.number
        }
    }
}
