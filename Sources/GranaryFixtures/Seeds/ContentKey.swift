import Foundation

/// A text of a value that is equal for equal values, also of types that are not `Hashable`, such as the options of
/// imports.
enum ContentKey {
    /// The contents of structs, enums and collections. The elements of dictionaries and sets are sorted.
    ///
    /// The depth of the recursion is that of the types.
    static func text(of value: Any) -> String {
        switch value {
        // These have private contents.
        case let url as URL: return "URL(\(ascii(url.absoluteString)))"
        case let locale as Locale: return "Locale(\(String(reflecting: locale.identifier)))"
        case let zone as TimeZone: return "TimeZone(\(String(reflecting: zone.identifier)))"
        case let id as UUID: return "UUID(\(id.uuidString))"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        // The contents of an object can change, so only its identity counts.
        if mirror.displayStyle == .class { return "\(mirror.subjectType)(\(ObjectIdentifier(value as AnyObject)))" }
        var parts = mirror.children.map { child in (child.label.map { $0 + ": " } ?? "") + text(of: child.value) }
        // Values without contents, such as numbers and texts, and cases without values.
        if parts.isEmpty { return "\(mirror.subjectType)(\(ascii(String(reflecting: value))))" }
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
        return "\(mirror.subjectType)(\(parts.joined(separator: ", ")))"
    }

    /// The text with escapes for all characters that are not ASCII. Strings with these characters can be equal if they
    /// consist of other code points.
    private static func ascii(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
