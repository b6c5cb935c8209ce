/// How a property list is written.
package enum PropertyListFormat: Sendable, Hashable {
    case binary
    case xml

    /// The format that a file's first bytes show; a few hundred are enough.
    ///
    /// - Returns: nil for anything else, the old OpenStep text form among it: its data `<0fbd77>` begins as a tag does.
    package static func detect(_ bytes: [UInt8]) -> PropertyListFormat? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
        // UTF-16, with a byte order mark or without.
        for start: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE], [0x00, 0x3C], [0x3C, 0x00]] where bytes.starts(with: start) {
            return .xml
        }
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        for start in ["<?", "<!", "<plist"] where rest.starts(with: start.utf8) { return .xml }
        return nil
    }
}
