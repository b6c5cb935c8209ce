/// Limits of the element reader, so that no document can fill memory or take hours.
///
/// The error about an exceeded limit has its value. The largest known public model has 100 KB and 6 levels.
package struct XMLElementLimits: Sendable {
    /// The maximum size of a document, in bytes.
    package var bytes = 16 << 20
    /// The maximum nesting depth of elements.
    package var depth = 64
    /// The maximum number of elements.
    package var elements = 1_000_000
    /// The maximum number of attributes of an element.
    package var attributes = 1_000

    package init() {}

    package static let standard = XMLElementLimits()
}
