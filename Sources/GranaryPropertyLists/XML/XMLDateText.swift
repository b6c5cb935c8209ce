import GranaryBase

/// `YYYY-MM-DDTHH:MM:SSZ`, the only format of a date in an XML property list: whole seconds, UTC, years 0001 to 9999 of
/// the proleptic Gregorian calendar.
enum XMLDateText {
    /// 0001-01-01 and 10000-01-01, in seconds since 2001-01-01 UTC.
    private static let range = -63_113_904_000.0..<252_423_993_600.0

    /// Whether a date can be written exactly.
    static func canHold(_ seconds: Double) -> Bool {
        range.contains(seconds) && seconds == seconds.rounded(.down)
    }

    static func seconds(_ text: [UInt8]) -> Double? {
        let text = Array(XMLScalarText.trimmed(text))
        // `DateText` accepts other forms too.
        guard text.count == 20, text[10] == UInt8(ascii: "T"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z"), let time = text.withUnsafeBufferPointer({ try? DateText.scan($0) })
        else { return nil }
        let seconds = Double(time.seconds)
        return range.contains(seconds) ? seconds : nil
    }
}
