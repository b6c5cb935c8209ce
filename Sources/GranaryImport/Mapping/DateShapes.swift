import Foundation
import GranaryBase

/// Finds date formats that an invalid text matches, for ``Diagnostic/help``.
enum DateShapes {
    private static let dates = [
        "dd.MM.yyyy", "d.M.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "d/M/yyyy", "M/d/yyyy", "yyyy/MM/dd", "yyyy/M/d",
        "dd-MM-yyyy", "MM-dd-yyyy", "d-M-yyyy", "M-d-yyyy", "yyyy-MM-dd", "yyyy-M-d", "yyyy.MM.dd", "yyyyMMdd",
        "dd.MM.yy", "d.M.yy", "dd/MM/yy", "MM/dd/yy", "d/M/yy", "M/d/yy", "dd MMM yyyy", "d MMM yyyy", "d MMMM yyyy",
        "MMM d, yyyy", "MMMM d, yyyy", "dd-MMM-yyyy", "d-MMM-yyyy", "dd-MMM-yy", "d-MMM-yy", "EEE, dd MMM yyyy",
        "EEE, d MMM yyyy", "yyyy年M月d日",
    ]
    private static let times = [
        "", " HH:mm:ss", " HH:mm", "'T'HH:mm:ss", "'T'HH:mm", " H:mm:ss", " H:mm", " hh:mm:ss a", " hh:mm a",
        " h:mm:ss a", " h:mm a", ", HH:mm", ", HH:mm:ss", " HH:mm:ss.SSS", " HH:mm:ss.SSSSSS", "'T'HHmmss",
    ]
    private static let zones = ["", " Z", " XXX", "XXX", " VV"]

    private static let patterns: [(text: String, pattern: DatePattern)] = dates.flatMap { date in
        times.flatMap { time in
            (time.isEmpty ? [""] : zones).compactMap { zone in
                let text = date + time + zone
                return (try? DatePattern(text)).map { (text, $0) }
            }
        }
    }

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
