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

/// Creates the errors of this module.
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
            "arrays and dictionaries are nested deeper than \(limits.depth) levels, the limit", place, source)
    }

    static func error(
        _ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace, _ source: String
    ) -> GranaryError {
        GranaryError(Diagnostic(code, message, at: place.position(in: source)))
    }
}

/// Limits of the readers, so that no file can overflow the stack, fill memory or take hours.
///
/// The error about an exceeded limit has its value.
package struct PropertyListLimits: Sendable {
    /// The maximum nesting depth of arrays and dictionaries, for events and trees.
    package var depth = 512
    /// The maximum size of a tree: one for each value and one for each 64 bytes of text or data.
    package var treeSize = 10_000_000
    /// The maximum size of a walk over a binary list, counted as ``treeSize``. The limit is at least the file's byte
    /// count, because a list without shared references always has fewer objects. Without a limit, a small file with
    /// shared references could take exponential time.
    package var walkSize = 2_000_000
    /// The maximum size of one text, key or data value, in bytes.
    package var valueBytes = 1 << 30
    /// The maximum size of a file that is read whole, in bytes: a binary list.
    package var fileBytes = 1 << 32

    package init() {}

    package static let standard = PropertyListLimits()
}
