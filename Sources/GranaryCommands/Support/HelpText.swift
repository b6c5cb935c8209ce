import ArgumentParser

/// The texts of `--help`. The parser wraps each line at the width of the terminal, so a paragraph must be one line.
/// Examples are not joined; their lines fit 80 columns.
enum HelpText {
    /// The visibility of the options that only `--help-all` prints. Completions and the manual page have them too; the
    /// parser makes both from the options that are not hidden.
    static let detail: ArgumentVisibility =
        CommandLine.arguments.contains {
            $0.hasPrefix("--generate-completion-script") || $0 == "--experimental-dump-help"
        } ? .default : .hidden

    /// Joins the lines of each paragraph, except lines that begin with a space and headings such as `Examples:`.
    static func paragraphs(_ text: String) -> String {
        // Every start joins the texts of all commands, so the lines are bytes, not characters.
        let space = UInt8(ascii: " ")
        let lineFeed = UInt8(ascii: "\n")
        var joined: [UInt8] = []
        joined.reserveCapacity(text.utf8.count)
        var isFirst = true
        var isOpen = false
        for line in text.utf8.split(separator: lineFeed, omittingEmptySubsequences: false) {
            let isParagraph = !line.isEmpty && line.first != space && line.last != UInt8(ascii: ":")
            if !isFirst { joined.append(isParagraph && isOpen ? space : lineFeed) }
            joined += line
            isFirst = false
            isOpen = isParagraph
        }
        return String(decoding: joined, as: UTF8.self)
    }
}
