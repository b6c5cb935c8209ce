/// A date as text, worked out slowly: years are counted one by one, and fractions are digits that are borrowed and
/// carried by hand.
struct DateTwin {
    /// The first day of each year from 0000 to 10000, in days since 2001-01-01.
    private let starts: [Int]

    init() {
        var starts: [Int] = []
        var day = -730_851
        for year in 0...10_000 {
            starts.append(day)
            day += Self.lengths(year).reduce(0, +)
        }
        self.starts = starts
    }

    private static func lengths(_ year: Int) -> [Int] {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    func text(_ date: Double) -> String {
        let whole = Int(date.rounded(.down))
        let day = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
        let time = whole - day * 86_400
        var year = 2001 + day / 366
        while starts[year] > day { year -= 1 }
        while year < 9999, starts[year + 1] <= day { year += 1 }
        var rest = day - starts[year]
        var month = 0
        while rest >= Self.lengths(year)[month] {
            rest -= Self.lengths(year)[month]
            month += 1
        }
        let fraction = Self.fraction(date)
        return "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(rest + 1, 2))T\(padded(time / 3600, 2)):"
            + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))\(fraction.isEmpty ? "" : "." + fraction)Z"
    }

    /// The digits after the point, counted from the whole second before the date.
    static func fraction(_ date: Double) -> String {
        var digits = placesAfterPoint(date.magnitude)
        guard date < 0, !digits.isEmpty else { return text(digits) }
        // One minus the fraction: each digit from nine, and one more in the last place.
        digits = digits.map { 9 - $0 }
        var place = digits.count - 1
        while place >= 0 {
            digits[place] += 1
            if digits[place] < 10 { break }
            digits[place] = 0
            place -= 1
        }
        return text(digits)
    }

    /// The digits after the point in the standard library's text of a number, such as `1.5e-07`.
    private static func placesAfterPoint(_ magnitude: Double) -> [Int] {
        let parts = magnitude.description.split(separator: "e")
        let number = parts[0].split(separator: ".")
        let whole = number[0].compactMap(\.wholeNumberValue)
        let digits = whole + (number.count > 1 ? number[1].compactMap(\.wholeNumberValue) : [])
        let point = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        if point >= digits.count { return [] }
        var places = point >= 0 ? Array(digits[point...]) : Array(repeating: 0, count: -point) + digits
        while places.last == 0 { places.removeLast() }
        return places
    }

    private static func text(_ digits: [Int]) -> String {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        return digits.map { "\($0)" }.joined()
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
