/// Text in XML and HTML.
package enum MarkupText {
    /// The text with references in place of the characters that have a meaning. Control characters, and those that change
    /// the direction of the text around them, are shown as escapes.
    package static func escaped(_ text: String) -> String { references(in: VisibleText.escaped(text)) }

    /// As ``escaped(_:)``, but keeps line feeds.
    package static func escapedLines(_ text: String) -> String { references(in: VisibleText.escapedLines(text)) }

    private static func references(in text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
