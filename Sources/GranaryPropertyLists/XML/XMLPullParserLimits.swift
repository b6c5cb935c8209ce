/// Limits of ``XMLPullParser``. It has no limit for the depth; whoever asks for tokens counts the levels.
struct XMLPullParserLimits {
    /// The maximum number of bytes before the root element.
    var prologBytes = 1 << 16
    /// The maximum number of bytes of a tag.
    var tagBytes = 1 << 16
    /// The maximum number of bytes of a reference in a text.
    var referenceBytes = 1 << 10
    /// The maximum number of attributes of a tag.
    var attributes = Int.max

    /// For streams, whose window is bounded.
    static let stream = XMLPullParserLimits()
}
