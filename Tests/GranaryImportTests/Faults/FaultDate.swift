import Foundation

/// Dates by hand: ISO 8601 with a zone, there and back.
enum FaultDate {
    /// Seconds since 2001-01-01 00:00:00 UTC; nil for what is no date with a time and a zone.
    static func seconds(_ text: [UInt8]) -> Double? {
        guard text.count >= 17, text[4] == 0x2D, text[7] == 0x2D, text[13] == 0x3A,
            [0x54, 0x74, 0x20].contains(text[10]), let high = number(text, 0), let low = number(text, 2),
            let month = number(text, 5), let day = number(text, 8), let hour = number(text, 11),
            let minute = number(text, 14)
        else { return nil }
        let year = high * 100 + low
        guard (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60
        else { return nil }
        var whole = ((days(before: year) + days(before: month, of: year) + day - 1) * 24 + hour) * 3600 + minute * 60
        var index = 16
        var fraction = ""
        if text[16] == 0x3A {
            guard let second = number(text, 17), second < 60 else { return nil }
            whole += second
            index = 19
            if index < text.count, text[index] == 0x2E {
                let digits = text[(index + 1)...].prefix(while: FaultTwin.isDigit)
                guard !digits.isEmpty else { return nil }
                fraction = String(decoding: digits, as: UTF8.self)
                index += digits.count + 1
            }
        }
        if text[10] == 0x20, index < text.count, text[index] == 0x20 { index += 1 }
        guard let offset = zone(Array(text[index...])) else { return nil }
        whole -= offset
        guard !fraction.isEmpty, let part = Decimal(string: "0." + fraction) else { return Double(whole) }
        return Double("\(Decimal(whole) + part)")
    }

    /// `Z`, `+HH:MM`, `+HHMM` or `+HH` in seconds.
    private static func zone(_ text: [UInt8]) -> Int? {
        if text == [0x5A] || text == [0x7A] { return 0 }
        guard let sign = text.first, sign == 0x2B || sign == 0x2D, let hours = number(text, 1), hours < 24 else {
            return nil
        }
        let rest = text.count == 6 && text[3] == 0x3A ? 4 : 3
        guard text.count == 3 || text.count == rest + 2 else { return nil }
        guard let minutes = text.count == 3 ? 0 : number(text, rest), minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == 0x2D ? -1 : 1)
    }

    private static func number(_ text: [UInt8], _ index: Int) -> Int? {
        guard index + 2 <= text.count, text[index..<index + 2].allSatisfy(FaultTwin.isDigit) else { return nil }
        return Int(String(decoding: text[index..<index + 2], as: UTF8.self))
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        month == 2 && isLeap(year) ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func days(before month: Int, of year: Int) -> Int {
        (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
    }

    /// Days from 2001-01-01 to the first of a year.
    private static func days(before year: Int) -> Int {
        year >= 2001
            ? (2001..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
            : (year..<2001).reduce(0) { $0 - (isLeap($1) ? 366 : 365) }
    }
}
