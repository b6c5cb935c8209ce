import Foundation

/// libxml2's error numbers in words; FoundationXML hands over the number alone.
enum XMLErrorText {
    static func sentence(for error: any Error) -> String {
        let number = (error as NSError).code
        return switch number {
        case 4: "the document is empty"
        case 5: "the document ends too early, or something stands behind its root element"
        case 6...9: "a character that XML does not allow, or a broken reference to one"
        case 22, 23: "a reference such as &amp; lacks its semicolon"
        case 26, 27: "a reference to an entity that is not declared; only &amp; &lt; &gt; &quot; &apos; are"
        case 33...41: "an attribute is not written as XML wants it"
        case 42: "an attribute stands twice"
        case 45, 80: "a comment is not written as XML wants it"
        case 62: "text holds the forbidden sequence ]]>"
        case 63: "a CDATA section has no end"
        case 65: "a space is missing between attributes"
        case 68: "a name is missing, or is not written as XML wants it"
        case 73: "a tag lacks its >"
        case 76, 77: "an end tag is missing or does not match its start tag"
        default: "this is no well-formed XML (libxml2 error \(number))"
        }
    }
}

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
