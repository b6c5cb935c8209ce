import GranaryBase

/// The format of a property list.
package enum PropertyListFormat: Sendable, Hashable {
    case binary
    case xml

    /// Detects the format from the first bytes of a file. A few hundred bytes suffice.
    ///
    /// - Returns: nil for any other format, also for the old OpenStep text format, whose data `<0fbd77>` looks like a
    ///   tag.
    package static func detect(_ bytes: [UInt8]) -> PropertyListFormat? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
        let (encoding, mark) = XMLTextDecoder.detect(bytes)
        if encoding != .utf8 { return .xml }
        let rest = bytes[mark...].drop(while: XMLScalarText.isSpace)
        for start in ["<?", "<!", "<plist"] where rest.starts(with: start.utf8) { return .xml }
        return nil
    }
}
