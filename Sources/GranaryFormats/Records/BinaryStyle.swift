/// How text contains binary data.
public enum BinaryStyle: String, Sendable, CaseIterable {
    /// RFC 4648, section 4, with its padding.
    case base64
    /// Two digits for each byte, written in lower case and read in either case.
    case hex
}
