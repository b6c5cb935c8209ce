import GranaryBase

/// The form of messages: that of compilers, with colours on a terminal.
struct MessageStyle: Sendable {
    let hasColours: Bool

    /// `patients.csv:57:12: error: …`, or `granary: error: …` without a place in a file.
    func text(_ diagnostic: Diagnostic) -> String {
        line(diagnostic.place ?? "granary", diagnostic.severity, diagnostic.statement)
    }

    /// `granary: error: …`
    func error(_ message: String) -> String { line("granary", .error, message) }

    private func line(_ place: String, _ severity: Diagnostic.Severity, _ rest: String) -> String {
        "\(painted("\(VisibleText.escaped(place)):", "1")) "
            + "\(painted("\(severity.rawValue):", Self.codes(severity))) \(VisibleText.escaped(rest))"
    }

    /// Bold red, yellow and cyan (ECMA-48: SGR).
    private static func codes(_ severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: "1;31"
        case .warning: "1;33"
        case .note: "1;36"
        }
    }

    private func painted(_ text: String, _ codes: String) -> String {
        hasColours ? "\u{1B}[\(codes)m\(text)\u{1B}[0m" : text
    }
}
