import GranaryBase

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

/// Makes the refusals of this module.
enum PropertyListError {
    static func syntax(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.plistSyntax, message, place, source)
    }

    static func limit(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.limitExceeded, message, place, source)
    }

    static func encoding(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.encodingInvalid, message, place, source)
    }

    static func depth(_ limits: PropertyListLimits, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        limit(
            "arrays and dictionaries stand deeper in each other than \(limits.depth) levels, the limit", place, source)
    }

    private static func error(
        _ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace, _ source: String
    ) -> GranaryError {
        GranaryError(Diagnostic(code, message, at: place.position(in: source)))
    }
}

/// What readers refuse, so that no file can make them overflow the stack, fill memory or run for hours.
///
/// Each error names the limit that was met.
package struct PropertyListLimits: Sendable {
    /// How deep arrays and dictionaries may stand in each other. Holds for events and trees.
    package var depth = 512
    /// How much a tree may hold: one for a value and one more for each 64 bytes of its text or data.
    package var treeSize = 10_000_000
    /// How many objects a walk over a binary list may visit, counted as ``treeSize`` is. The limit is never below the file's
    /// byte count: a list that refers to each object once visits fewer. Without a limit, a small file with shared references
    /// could take exponential time.
    package var walkSize = 2_000_000
    /// The bytes of one text, key or data value.
    package var valueBytes = 1 << 30
    /// The bytes of a file that has to be in memory whole: a binary list.
    package var fileBytes = 1 << 32

    package init() {}

    package static let standard = PropertyListLimits()
}
