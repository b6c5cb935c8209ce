package import Foundation

/// Writes dates in one or several formats, each in the first format from which a ``DateTextReader`` with the same
/// formats and the same zone reads the same date.
package struct DateTextWriter {
    /// The result of writing a date.
    package enum Outcome: Sendable, Hashable {
        /// The text reads back as the date. The flag tells whether it is a number.
        case exact(isNumber: Bool)
        /// No format can express the date exactly. The nearest text is written, and the reason describes it.
        case rounded(String)
        /// No format can express the date exactly, because the nearest text is a local time that occurs twice. It is
        /// written. `form` is the index of its format.
        case ambiguous(String, form: Int)
        /// No format can express the date at all. Nothing is written.
        case impossible
    }

    private let forms: [DateTextReader.Form]
    private let zone: TimeZone
    private var reader: DateTextReader
    /// Readers that choose one of the instants of a local time that occurs twice.
    private var choosing: [DateTextReader]
    /// Whether a format has no zone, and no zone is given: nobody can tell the instants of its texts.
    package let lacksZone: Bool

    /// - Parameters:
    ///   - forms: the formats, tried in order. ISO 8601 is written with the offset of the zone.
    ///   - timeZone: the zone of the texts; nil for UTC.
    package init(_ forms: [DateTextReader.Form], timeZone: TimeZone?) {
        self.forms = forms
        zone = timeZone ?? .gmt
        reader = DateTextReader(forms, timeZone: timeZone)
        choosing = [.earlier, .later].map { DateTextReader(forms, timeZone: timeZone, policy: $0) }
        lacksZone =
            timeZone == nil
            && forms.contains { form in
                switch form {
                case .pattern(let pattern): !pattern.hasZone
                case .serial: true
                case .iso8601, .seconds, .unix, .dotNet: false
                }
            }
    }

    /// Appends a date.
    ///
    /// - Parameter date: a finite number of seconds since 2001-01-01 00:00:00 UTC.
    package mutating func append(_ date: Double, to output: inout [UInt8]) -> Outcome {
        let start = output.count
        var nearest: (text: [UInt8], distance: Double, outcome: Outcome)?
        for (index, form) in forms.enumerated() {
            guard write(date, form, to: &output) else {
                output.removeSubrange(start...)
                continue
            }
            var distance = Double.greatestFiniteMagnitude
            var outcome = Outcome.rounded(Self.lossReason)
            let text = Array(output[start...])
            // The text is read as an import reads it, so what is exact here is exact there.
            do throws(ValueTextError) {
                let found = try text.withUnsafeBufferPointer { (text) throws(ValueTextError) in
                    try reader.parse(text)
                }
                if found == date { return .exact(isNumber: form.isNumber) }
                distance = (found - date).magnitude
            } catch {
                outcome = .ambiguous("is ambiguous: \(error.reason)", form: index)
                // A time that occurs twice is nearer than its day alone, whichever of its instants is meant.
                for place in choosing.indices {
                    let found = text.withUnsafeBufferPointer { try? choosing[place].parse($0) }
                    if let found { distance = min(distance, (found - date).magnitude) }
                }
            }
            if distance < nearest?.distance ?? .infinity { nearest = (text, distance, outcome) }
            output.removeSubrange(start...)
        }
        if let text = roundedUp(date, besides: nearest?.distance) { nearest = (text, 0, .rounded(Self.lossReason)) }
        guard let nearest else { return .impossible }
        output.append(contentsOf: nearest.text)
        return nearest.outcome
    }

    private static let lossReason = "does not contain the whole time"

    /// The text of a later time that is nearer to a date than the texts that leave out a part of its time. A format
    /// without a time keeps the day.
    private mutating func roundedUp(_ date: Double, besides distance: Double?) -> [UInt8]? {
        var nearest = distance ?? .infinity
        var found: [UInt8]?
        for form in forms {
            guard case .pattern(let pattern) = form, let unit = pattern.timeUnit else { continue }
            var text: [UInt8] = []
            guard write(date + unit / 2, form, to: &text),
                let read = text.withUnsafeBufferPointer({ try? reader.parse($0) })
            else { continue }
            guard (read - date).magnitude < nearest else { continue }
            nearest = (read - date).magnitude
            found = text
        }
        return found
    }

    private func write(_ date: Double, _ form: DateTextReader.Form, to output: inout [UInt8]) -> Bool {
        switch form {
        case .seconds:
            FloatingText.append(date, to: &output)
            return true
        case .unix(let isMilliseconds): return Self.append(unix: date, isMilliseconds: isMilliseconds, to: &output)
        case .iso8601:
            guard let time = localTime(date) else { return false }
            if time.offset == 0 || time.offset % 60 != 0 { return DateText.append(date, to: &output) }
            guard Self.iso.append(time, to: &output) else { return false }
            if !time.fraction.isEmpty {
                output.append(ASCII.point)
                output.append(contentsOf: time.fraction)
            }
            return Self.isoOffset.append(time, to: &output)
        case .serial(let serial):
            guard let time = localTime(date) else { return false }
            serial.append(seconds: Double(time.seconds) + (date - date.rounded(.down)), to: &output)
            return true
        case .dotNet:
            guard let milliseconds = Int64(exactly: ((date + 978_307_200) * 1000).rounded(.down)) else { return false }
            output.append(contentsOf: "/Date(\(milliseconds))/".utf8)
            return true
        case .pattern(let pattern): return localTime(date).map { pattern.append($0, to: &output) } ?? false
        }
    }

    private static let iso = DatePattern(items: [
        .year, .literal(ASCII.minus), .month(true), .literal(ASCII.minus), .day(true), .literal(UInt8(ascii: "T")),
        .hour(true), .literal(ASCII.colon), .minute(true), .literal(ASCII.colon), .second(true),
    ])
    private static let isoOffset = DatePattern(items: [.offsetOrZ(3)])

    /// The date in the zone; nil outside the years 0000 to 9999.
    private func localTime(_ date: Double) -> DatePattern.LocalTime? {
        // `2026-07-29T14:30:00.25Z`: the fraction has the shortest digits that read back as the same date.
        var text: [UInt8] = []
        guard DateText.append(date, to: &text) else { return nil }
        let fraction = text.count > 20 ? text[20..<text.count - 1] : []
        let seconds = Int64(date.rounded(.down))
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(seconds)))
        return DatePattern.LocalTime(
            seconds: seconds + Int64(offset), fraction: fraction, offset: offset, zone: zone)
    }

    private static func append(unix date: Double, isMilliseconds: Bool, to output: inout [UInt8]) -> Bool {
        guard let seconds = ExactDecimal(shortest: date),
            let epoch = ExactDecimal(isNegative: false, mantissa: 978_307_200, exponent: 0),
            let sum = seconds.adding(epoch),
            let number = ExactDecimal(
                isNegative: sum.isNegative, mantissa: sum.mantissa,
                exponent: Int(sum.exponent) + (isMilliseconds ? 3 : 0))
        else { return false }
        DecimalText.append(number, to: &output)
        return true
    }
}

extension DateTextReader.Form {
    /// Whether its texts are numbers.
    package var isNumber: Bool {
        switch self {
        case .seconds, .unix, .serial: true
        case .iso8601, .dotNet, .pattern: false
        }
    }
}
