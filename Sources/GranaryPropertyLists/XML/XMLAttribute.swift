import GranaryBase

/// An attribute of a start tag.
struct XMLAttribute {
    /// Its name, in the window's bytes.
    let name: Range<Int>
    /// Its value, in the parser's ``XMLPullParser/attributeValues``.
    let value: Range<Int>
}
