/// What the element reader refuses, so that no document can make it run for hours or fill memory.
///
/// Each error names the limit that was met. The largest model seen in public has 100 KB and 6 levels.
package struct XMLElementLimits: Sendable {
    /// The bytes of a document.
    package var bytes = 16 << 20
    /// How deep elements may stand in each other.
    package var depth = 64
    /// The elements of a document.
    package var elements = 1_000_000
    /// The attributes of one element. libxml2 compares each with all before it: 400,000 take it a minute.
    package var attributes = 1_000

    package init() {}

    package static let standard = XMLElementLimits()
}
