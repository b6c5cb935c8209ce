/// The form of a property list.
public enum PropertyListEncoding: String, Sendable, CaseIterable {
    /// An XML document.
    case xml
    /// Apple's binary format.
    case binary
}
