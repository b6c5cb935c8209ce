/// The limits of ``XMLPullParser``. The parser does not limit the depth; its callers count the levels.
struct XMLPullParserLimits {
    /// The maximum number of bytes before the root element.
    var prologBytes = 1 << 16
    /// The maximum number of bytes of a tag.
    var tagBytes = 1 << 16
    /// The maximum number of bytes of a reference in a text.
    var referenceBytes = 1 << 10
    /// The maximum number of attributes of a tag.
    var attributes = Int.max

    /// The limits for a stream. They bound the size of its window.
    static let stream = XMLPullParserLimits()
}
