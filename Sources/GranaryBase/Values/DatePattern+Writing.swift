import Foundation

extension DatePattern {
    /// A date and time of a zone, with the parts that a pattern can contain.
    struct LocalTime {
        /// Whole seconds since 2001-01-01 00:00:00 in local time.
        let seconds: Int64
        /// The digits of the fraction of the second, without zeros at the end.
        let fraction: ArraySlice<UInt8>
        /// The seconds east of Greenwich.
        let offset: Int
        let zone: TimeZone
    }

    /// Appends a date. Units that the pattern does not have are left out.
    ///
    /// - Returns: false if the pattern cannot express the date: a year outside 0000 to 9999, an offset with seconds, or
    ///   a zone without a name in the IANA list. Part of the text may then be appended.
    func append(_ time: LocalTime, to output: inout [UInt8]) -> Bool {
        guard time.seconds >= CivilDate.firstSecond, time.seconds < CivilDate.endSecond else { return false }
        let sinceFirst = Int(time.seconds &- CivilDate.firstSecond)
        let days = sinceFirst / 86_400 &+ Int(CivilDate.firstSecond / 86_400)
        let civil = CivilDate.date(days: days)
        let second = sinceFirst % 86_400
        for (place, item) in items.enumerated() {
            let isBeforeDot = place &+ 1 < items.count && items[place &+ 1] == .literal(ASCII.point)
            switch item {
            case .year: Self.append(civil.year, digits: 4, to: &output)
            case .yearOfCentury: Self.append(civil.year % 100, digits: 2, to: &output)
            case .month(let isFixed): Self.append(civil.month, digits: isFixed ? 2 : 1, to: &output)
            case .monthName(let isShort):
                Self.append(names.months(short: isShort), civil.month &- 1, isBeforeDot, to: &output)
            case .day(let isFixed): Self.append(civil.day, digits: isFixed ? 2 : 1, to: &output)
            case .weekday(let isShort):
                // 2001-01-01 was a Monday.
                Self.append(names.weekdays(short: isShort), ((days &+ 1) % 7 &+ 7) % 7, isBeforeDot, to: &output)
            case .hour(let isFixed): Self.append(second / 3600, digits: isFixed ? 2 : 1, to: &output)
            case .hour12(let isFixed):
                Self.append((second / 3600 &+ 11) % 12 &+ 1, digits: isFixed ? 2 : 1, to: &output)
            case .period: Self.append(names.periods, second < 43_200 ? 0 : 1, isBeforeDot, to: &output)
            case .minute(let isFixed): Self.append(second / 60 % 60, digits: isFixed ? 2 : 1, to: &output)
            case .second(let isFixed): Self.append(second % 60, digits: isFixed ? 2 : 1, to: &output)
            case .fraction(let count):
                output.append(contentsOf: time.fraction.prefix(count))
                output.append(contentsOf: repeatElement(ASCII.zero, count: max(0, count - time.fraction.count)))
            case .offset:
                guard Self.append(offset: time.offset, width: 2, to: &output) else { return false }
            case .offsetOrZ(let width):
                if time.offset == 0 {
                    output.append(UInt8(ascii: "Z"))
                } else if !Self.append(offset: time.offset, width: width, to: &output) {
                    return false
                }
            case .zoneName:
                guard TimeZone(listed: time.zone.identifier) != nil else { return false }
                output.append(contentsOf: time.zone.identifier.utf8)
            case .literal(let byte): output.append(byte)
            }
        }
        return true
    }

    /// The smallest part of the time that the pattern has, in seconds; nil if it has no time.
    var timeUnit: Double? {
        items.compactMap { item -> Double? in
            switch item {
            case .fraction(let count): (0..<count).reduce(1) { unit, _ in unit / 10 }
            case .second: 1
            case .minute: 60
            case .hour, .hour12: 3600
            default: nil
            }
        }.min()
    }

    private static func append(_ value: Int, digits: Int, to output: inout [UInt8]) {
        let text = String(value)
        output.append(contentsOf: repeatElement(ASCII.zero, count: max(0, digits - text.utf8.count)))
        output.append(contentsOf: text.utf8)
    }

    private static func append(_ names: [[String]], _ index: Int, _ isBeforeDot: Bool, to output: inout [UInt8]) {
        guard names.indices.contains(index) else { return }
        let spellings = names[index]
        // A dot in the pattern is not repeated after an abbreviation that has one.
        let name = spellings.first { !(isBeforeDot && $0.hasSuffix(".")) } ?? spellings.first
        output.append(contentsOf: (name ?? "").utf8)
    }

    /// Appends `+02` (width 1), `+0200` (2) or `+02:00` (3).
    private static func append(offset: Int, width: Int, to output: inout [UInt8]) -> Bool {
        let minutes = offset.magnitude / 60
        guard offset % 60 == 0, minutes < 24 * 60, width > 1 || minutes % 60 == 0 else { return false }
        output.append(offset < 0 ? ASCII.minus : ASCII.plus)
        append(Int(minutes / 60), digits: 2, to: &output)
        if width == 3 { output.append(ASCII.colon) }
        if width > 1 { append(Int(minutes % 60), digits: 2, to: &output) }
        return true
    }
}
