import Foundation
import GranaryBase

/// Finds date formats that an invalid text matches, for ``Diagnostic/help``.
extension DateShapes {
    /// `--date-format dd.MM.yyyy`, with `--time-zone UTC` if the text names no zone. If the text is a different date in
    /// several formats, the first two are joined with "or". Nil if no format matches.
    ///
    /// - Parameter hasTimeZone: whether the import has a time zone for texts that name none.
    static func help(_ text: UnsafeBufferPointer<UInt8>, hasTimeZone: Bool) -> String? {
        // No date of these formats is longer.
        guard text.count <= 64 else { return nil }
        let digits = text.count { (0x30...0x39).contains($0) }
        if digits == text.count, text.count == 10 { return OptionHelp.option("date-format", "unix") }
        if digits == text.count, text.count == 13 { return OptionHelp.option("date-format", "unix-ms") }
        var found: [(text: String, value: Double, hasZone: Bool)] = []
        for (name, pattern) in patterns {
            // Scanning is fast; a reader, which has a clock for its zone, is made only for the few patterns that match.
            guard (try? pattern.scan(text)) != nil else { continue }
            var reader = DateTextReader([.pattern(pattern)], timeZone: .gmt, policy: .earlier)
            guard let value = try? reader.parse(text), !found.contains(where: { $0.value == value }) else { continue }
            found.append((name, value, pattern.hasZone))
        }
        if found.count == 1, !found[0].hasZone, !hasTimeZone {
            return OptionHelp.all([
                OptionHelp.option("date-format", found[0].text), OptionHelp.option("time-zone", "UTC"),
            ])
        }
        return OptionHelp.either(found.prefix(2).map { OptionHelp.option("date-format", $0.text) })
    }
}
