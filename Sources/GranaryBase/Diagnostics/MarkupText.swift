/// Text in XML and HTML.
package enum MarkupText {
    /// The text with references in place of the characters that have a meaning. Control characters, and those that change
    /// the direction of the text around them, are shown as escapes.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in VisibleText.escaped(text).unicodeScalars {
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
