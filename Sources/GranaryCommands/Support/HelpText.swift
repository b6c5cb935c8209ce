/// The texts of `--help`. The parser wraps each line at the width of the terminal, so a paragraph must be one line.
/// Examples are not joined; their lines fit 80 columns.
enum HelpText {
    /// Joins the lines of each paragraph, except lines that begin with a space and headings such as `Examples:`.
    static func paragraphs(_ text: String) -> String {
        var lines: [String] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isParagraph = !line.isEmpty && !line.hasPrefix(" ") && !line.hasSuffix(":")
            if isParagraph, isOpen, let last = lines.popLast() {
                lines.append(last + " " + line)
            } else {
                lines.append(line)
            }
            isOpen = isParagraph
        }
        return lines.joined(separator: "\n")
    }
}
