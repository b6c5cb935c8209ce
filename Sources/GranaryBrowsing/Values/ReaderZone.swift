package import Foundation
import GranaryBase

/// The time zone in which dates are shown.
package struct ReaderZone: Sendable {
    package let zone: TimeZone
    /// Whether the reader chose it, so that links carry it on.
    let isChosen: Bool

    /// The zone that `granary browse` was started with.
    package init(_ zone: TimeZone) {
        self.zone = zone
        isChosen = false
    }

    /// The zone that the reader chose; nil for an unknown name.
    init?(chosen name: String) {
        guard let zone = TimeZone(listed: name) else { return nil }
        self.zone = zone
        isChosen = true
    }

    var name: String { zone.identifier }

    /// The range of years for which zones are computed, in seconds since 2001.
    private static let range = -63_113_904_000.0...252_423_993_599.0

    /// A date in the zone: `2026-03-03 00:00:00 +01:00`. A date outside the years 1 to 9999 is as it is stored.
    func text(_ seconds: Double) -> String {
        guard seconds.isFinite, Self.range.contains(seconds) else { return DateText.text(seconds) }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
        let wall = seconds + Double(offset)
        guard Self.range.contains(wall) else { return DateText.text(seconds) }
        var text = DateText.text(wall)
        if text.hasSuffix("Z") { text.removeLast() }
        return text.replacing("T", with: " ") + " " + Self.offsetText(offset)
    }

    private static func offsetText(_ offset: Int) -> String {
        let minutes = offset.magnitude / 60
        func digits(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = offset.magnitude % 60
        return (offset < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
            + (seconds > 0 ? ":" + digits(seconds) : "")
    }
}
