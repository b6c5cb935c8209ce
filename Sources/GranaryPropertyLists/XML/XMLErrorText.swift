import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The messages for libxml2's error numbers. FoundationXML provides only the number.
enum XMLErrorText {
    static func sentence(for error: any Error) -> String {
        let number = (error as NSError).code
        return switch number {
        case 4: "the document is empty"
        case 5: "the document is truncated, or has content after its root element"
        case 6...9: "a character that XML does not allow, or an invalid reference to one"
        case 22, 23: "a reference such as &amp; lacks its semicolon"
        case 26, 27: "a reference to an unknown entity; only &amp; &lt; &gt; &quot; &apos; are known"
        case 33...41: "an attribute has a syntax error"
        case 42: "an attribute occurs twice"
        case 45, 80: "a comment has a syntax error"
        case 62: "text contains the forbidden sequence ]]>"
        case 63: "a CDATA section is not terminated"
        case 65: "a space is missing between attributes"
        case 68: "a name is missing or invalid"
        case 73: "a tag lacks its >"
        case 76, 77: "an end tag is missing or does not match its start tag"
        default: "the document is not well-formed XML (libxml2 error \(number))"
        }
    }
}

extension XMLParser {
    /// The position as libxml2 reports it.
    var place: PropertyListPlace { PropertyListPlace(line: max(lineNumber, 1), column: max(columnNumber, 1)) }
}

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
    /// The maximum number of attributes of an element. libxml2 compares each with all earlier ones: 400,000 take a
    /// minute.
    package var attributes = 1_000

    package init() {}

    package static let standard = XMLElementLimits()
}
