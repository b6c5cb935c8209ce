import Foundation
import GranaryBase
import GranaryGeneration
import GranaryModel
import GranaryPredicates

extension ReplacementGroup {
    /// The number of numbers that are tried with one bijection.
    private static let attempts = 4000

    /// One of the values that the model enumerates.
    func member(of list: [AttributeValue], _ value: AttributeValue, _ attempt: inout Attempt) -> Result<AttributeValue>
    {
        let count = UInt64(list.count)
        let known = list.firstIndex(of: value).map(UInt64.init)
        let first = known ?? stream("list").number(attempt.original, below: count)
        return walk(from: first, count: count, .list, &attempt) { list[Int(min($0, count - 1))] }
    }

    /// A number with the same sign and the same number of digits, within the bounds of the attribute.
    func integer(_ value: Int64, _ hints: RuleHints, _ attempt: inout Attempt) -> Result<AttributeValue> {
        guard var range = NumberDomains.multiples(hints.lower, hints.upper, scale: 0, limit: .max) else {
            return .refused
        }
        if let type = attempt.attribute.type.integerRange, type.overlaps(range) { range = range.clamped(to: type) }
        let digits = Self.digits(value)
        // A value outside the bounds gets a replacement without them.
        let domain = range.contains(value) && range.overlaps(digits) ? digits.clamped(to: range) : digits
        // Both numbers have the same sign, so the difference does not overflow.
        let count = UInt64(domain.upperBound - domain.lowerBound) + 1
        return walk(from: UInt64(value - domain.lowerBound), count: count, .integers(domain), &attempt) {
            .integer(domain.lowerBound + Int64($0))
        }
    }

    /// The numbers that have the sign and the number of digits of a given number. A ``Permutation`` cannot contain all
    /// numbers of 19 digits, so for these the result is the half that contains the given number.
    private static func digits(_ value: Int64) -> ClosedRange<Int64> {
        var power: Int64 = 1
        var next = power.multipliedReportingOverflow(by: 10)
        while !next.overflow, value.magnitude >= UInt64(next.partialValue) {
            power = next.partialValue
            next = power.multipliedReportingOverflow(by: 10)
        }
        let half: Int64 = 5_000_000_000_000_000_000
        switch (value < 0, next.overflow) {
        case (false, false): return (power == 1 ? 0 : power)...next.partialValue - 1
        case (true, false): return (1 - next.partialValue)...(power == 1 ? -1 : -power)
        case (false, true): return value < half ? power...half - 1 : half...Int64.max
        case (true, true): return value > -half ? (1 - half)...(-power) : Int64.min...(-half)
        }
    }

    /// A number with the same digits before and after the point, written in the shortest form.
    func real(
        _ text: String, _ attempt: inout Attempt, _ parse: (String) -> AttributeValue?
    ) -> Result<AttributeValue> {
        let shaped = ShapedText(number: text, table)
        guard !shaped.isFixed else {
            reserve(attempt)
            return .kept("0 has no digits to replace")
        }
        for variant in 0..<variants {
            var candidate = shaped
            let cipher = self.cipher(variant)
            for _ in 0..<Self.attempts {
                candidate.scramble(cipher, table)
                if candidate.text == text { break }
                guard let value = parse(candidate.text) else { continue }
                if accepts(value, &attempt) { return .replaced(value) }
            }
        }
        return ending(attempt)
    }

    /// A date in the same year, at the same time of day if that is a whole hour.
    func date(_ seconds: Double, _ hints: RuleHints, _ attempt: inout Attempt) -> Result<AttributeValue> {
        guard seconds.magnitude < 1e14,
            let range = NumberDomains.multiples(hints.lower, hints.upper, scale: 0, limit: Int64(1) << 50)
        else {
            reserve(attempt)
            return .kept("the date is out of range")
        }
        let whole = Int64(seconds.rounded(.down))
        let step = seconds == Double(whole) ? Self.step(of: whole) : 1
        var span = Self.year(around: whole)
        // A value outside the bounds gets a replacement without them.
        if range.contains(whole), span.overlaps(range) { span = span.clamped(to: range) }
        let before = (whole - span.lowerBound) / step
        let first = whole - before * step
        let count = UInt64((span.upperBound - first) / step) + 1
        let fraction = seconds - Double(whole)
        let other = stream("fraction")
        let start = attempt.original
        return walk(from: UInt64(before), count: count, .dates(first: first, step: step), &attempt) { index in
            let found = first + Int64(index) * step
            // Another step would be another shape, which is the image of other values.
            guard fraction != 0 || Self.step(of: found) == step else { return nil }
            let part = fraction == 0 ? 0 : Double(other.number(start, below: 999) + 1) / 1000
            return .date(Date(timeIntervalSinceReferenceDate: Double(found) + part))
        }
    }

    /// The accuracy of a date: days for a whole hour, which is midnight in some time zone; otherwise minutes or
    /// seconds.
    private static func step(of seconds: Int64) -> Int64 {
        if seconds % 3600 == 0 { return 86_400 }
        return seconds % 60 == 0 ? 60 : 1
    }

    /// The seconds of the year of a date; for dates outside the calendar a span of the same length.
    private static func year(around seconds: Int64) -> ClosedRange<Int64> {
        func start(_ year: Int) -> Int64 { CivilDays.days(year: year, month: 1, day: 1) * 86_400 }
        let length: Int64 = 31_556_952
        var year = 2001 + Int((Double(seconds) / Double(length)).rounded(.down))
        guard (2...9997).contains(year) else {
            let first = Int64((Double(seconds) / Double(length)).rounded(.down)) * length
            // Rounding can put a date at the edge of its span beside it.
            return min(first, seconds)...max(first + length - 1, seconds)
        }
        if seconds < start(year) { year -= 1 }
        if seconds >= start(year + 1) { year += 1 }
        return start(year)...start(year + 1) - 1
    }

    /// Another UUID of version 4.
    func uuid(_ attempt: inout Attempt) -> Result<AttributeValue> {
        for draw in 0..<UInt64(100) {
            let number = stream("uuid").number(attempt.original, draw: draw, below: ValueDomain.sizeLimit)
            let value = AttributeValue.uuid(UUIDBits.value(at: number))
            if accepts(value, &attempt) { return .replaced(value) }
        }
        return .refused
    }

    /// The text of the UUID that replaces the UUID of a text, in the same case.
    func text(of original: UUID, isLowercase: Bool, _ attempt: inout Attempt) -> Result<[UInt8]> {
        let number = AttributeValue.uuid(original).withBorrowed { Fingerprint.of($0) }
        for draw in 0..<UInt64(100) {
            let value = UUIDBits.value(at: stream("uuid").number(number, draw: draw, below: ValueDomain.sizeLimit))
            let output = AttributeValue.uuid(value).withBorrowed { Fingerprint.of($0) }
            let text = Array((isLowercase ? value.uuidString.lowercased() : value.uuidString).utf8)
            guard output != number, claim(output, for: number) else { continue }
            guard attempt.mustBeValid else { return .replaced(text) }
            attempt.violation = text.withUnsafeBufferPointer {
                attempt.attribute.validator.violations(of: .text($0)).first
            }
            if attempt.violation == nil { return .replaced(text) }
        }
        return .refused
    }

    /// Random bytes of the same number.
    func binary(_ count: Int, _ attempt: inout Attempt) -> Result<AttributeValue> {
        for draw in 0..<UInt64(100) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 8)
            let random = stream("binary", attempt.original, draw: draw)
            var index: UInt64 = 0
            while bytes.count < count {
                withUnsafeBytes(of: random.number(index).littleEndian) { bytes.append(contentsOf: $0) }
                index += 1
            }
            let value = AttributeValue.binary(Data(bytes.prefix(count)))
            if accepts(value, &attempt) { return .replaced(value) }
            // More attempts with long values take long, and short values are tried often enough.
            if count > 1 << 20 { break }
        }
        return ending(attempt)
    }

    /// Applies a bijection of the numbers below `count` again and again, until a value is accepted or the first one
    /// comes again.
    private func walk(
        from first: UInt64, count: UInt64, _ walk: Walk, _ attempt: inout Attempt,
        _ make: (UInt64) -> AttributeValue?
    ) -> Result<AttributeValue> {
        for variant in 0..<variants {
            let permutation = permutation(walk, count: count, variant)
            var index = first
            for _ in 0..<Self.attempts {
                index = permutation(index)
                if index == first { break }
                if let value = make(index), accepts(value, &attempt) { return .replaced(value) }
            }
        }
        return ending(attempt)
    }
}
