import Foundation
package import GranaryBase
import Synchronization

/// The output of a command: data goes to standard output, everything else to standard error.
///
/// Tests replace ``current`` for a call.
package struct CommandOutput: Sendable {
    /// The output of the command that runs in this task.
    @TaskLocal package static var current = CommandOutput.standard

    private let writeData: @Sendable (String) throws(GranaryError) -> Void
    /// Standard error.
    let messages: MessageStream
    /// The terminal that shows standard error.
    let terminal: Terminal
    /// The terminal that shows standard output.
    let dataTerminal: Terminal

    /// The process's own streams.
    private static let standard = CommandOutput(
        writeData: { text throws(GranaryError) in
            let output = ByteOutput.standardOutput()
            output.append(text)
            try output.finish()
        },
        // An error of standard error cannot be reported anywhere.
        messages: MessageStream { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
        terminal: .standardError, dataTerminal: .standardOutput)

    private var style: MessageStyle { MessageStyle(hasColours: terminal.hasColours) }

    /// Writes a command's result to standard output.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if writing fails.
    package static func write(_ text: String) throws(GranaryError) {
        // Standard output and standard error can be the same terminal.
        current.messages.erase()
        try current.writeData(text)
    }

    /// Writes text to standard output and escapes its control characters, because names from files and models can have
    /// some.
    ///
    /// - Throws: as ``write(_:)``.
    package static func writeText(_ text: String) throws(GranaryError) { try write(VisibleText.escapedLines(text)) }

    /// Writes a line to standard error after clearing the progress line. Control characters are escaped.
    package static func log(_ line: String) { current.messages.line(VisibleText.escaped(line)) }

    /// Writes a line of JSON to standard error.
    package static func log(json line: String) { current.messages.line(line) }

    /// Writes `granary: error: message` to standard error, and the help on a second line. Control characters are
    /// escaped.
    package static func logError(_ message: String, help: String? = nil, form: HelpForm = .options) {
        current.messages.line(current.style.error(message))
        if let line = form.line(help) { log(line) }
    }

    /// As ``logError(_:)``, for a message of several lines, such as the usage of a command.
    package static func logError(lines message: String) {
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        logError(lines.first.map(String.init) ?? "")
        if lines.count > 1 { current.messages.line(VisibleText.escapedLines(String(lines[1]))) }
    }

    /// As ``logError(_:help:)``, for the message of an error. The message can end with a text and a second line that
    /// marks a place in the text. These two lines are printed as separate lines.
    private static func logError(marked message: String) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        // Both lines are indented, so that they cannot be taken for messages of their own.
        guard lines.count > 2, let mark = lines.last, mark.hasPrefix("  "), mark.drop(while: { $0 == " " }) == "^",
            lines[lines.count - 2].hasPrefix("  ")
        else { return logError(message) }
        logError(lines.dropLast(2).joined(separator: "\n"))
        for line in lines.suffix(2) { log(String(line)) }
    }

    /// Prints a diagnostic in the format of compilers, and its help on a second line.
    package static func log(_ diagnostic: Diagnostic, help form: HelpForm = .options) {
        current.messages.line(current.style.text(diagnostic))
        if let line = form.line(diagnostic.help) { log(line) }
    }

    /// Prints at most `limit` diagnostics, one on each line, and the number of those left out.
    ///
    /// - Parameter count: the total number, if it is larger than that of `diagnostics`.
    package static func log(
        _ diagnostics: [Diagnostic], count: Int? = nil, limit: Int, help form: HelpForm = .options
    ) {
        for diagnostic in diagnostics.prefix(limit) { log(diagnostic, help: form) }
        let rest = max(count ?? diagnostics.count, diagnostics.count) - min(limit, diagnostics.count)
        if rest > 0 { log("… and \(CountText.grouped(rest)) more") }
    }

    /// Prints the error that ended a command.
    package static func log(_ error: GranaryError, limit: Int, help form: HelpForm = .options) {
        log(error.diagnostics, limit: limit, help: form)
        // An error made from one diagnostic has the same message.
        if error.diagnostics.count != 1 || error.diagnostics.first?.message != error.message {
            logError(marked: error.message)
        }
        if let line = form.line(error.help) { log(line) }
    }

    /// Prints the last line of a check: `checked Seed.sqlite: 1 error, 0 warnings`.
    static func logChecked(_ subject: String, errors: Int, warnings: Int) {
        log("checked \(subject): \(CountText.count(errors, "error")), \(CountText.count(warnings, "warning"))")
    }
}

extension CommandOutput {
    /// The captured output of a command, for tests.
    package final class Capture: Sendable {
        private let texts = Mutex((data: "", messages: ""))
        private let terminal: Terminal
        private let dataTerminal: Terminal

        package convenience init() { self.init(terminal: .none) }

        init(terminal: Terminal, dataTerminal: Terminal = .none) {
            self.terminal = terminal
            self.dataTerminal = dataTerminal
        }

        package var output: CommandOutput {
            CommandOutput(
                writeData: { text throws(GranaryError) in self.texts.withLock { $0.data += text } },
                messages: MessageStream { text in self.texts.withLock { $0.messages += text } },
                terminal: terminal, dataTerminal: dataTerminal)
        }

        package var standardOutput: String { texts.withLock { $0.data } }
        package var standardError: String { texts.withLock { $0.messages } }
    }
}
