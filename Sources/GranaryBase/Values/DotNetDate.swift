/// `/Date(1198908717056)/` and `/Date(1198908717056+0200)/`: milliseconds since 1970-01-01 00:00:00 UTC. The offset says
/// in which zone the time was written; it does not change the time.
enum DotNetDate {
    /// The text of the number.
    static func number(in text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> UnsafeBufferPointer<UInt8> {
        let (prefix, suffix) = (Array("/Date(".utf8), Array(")/".utf8))
        guard text.count > prefix.count + suffix.count, text.starts(with: prefix),
            text[(text.count - suffix.count)...].elementsEqual(suffix)
        else { throw .syntax("not of the form /Date(…)/") }
        let inner = UnsafeBufferPointer(rebasing: text[prefix.count..<text.count - suffix.count])
        guard inner.count > 5, [ASCII.plus, ASCII.minus].contains(inner[inner.count - 5]) else { return inner }
        let offset = UnsafeBufferPointer(rebasing: inner[(inner.count - 5)...])
        _ = try DateText.offset(offset, from: 0)
        return UnsafeBufferPointer(rebasing: inner[..<(inner.count - 5)])
    }
}
