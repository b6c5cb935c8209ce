import Foundation
package import GranaryBase
import Synchronization

/// Where a command's words go: data to standard output, everything else to standard error.
///
/// A test puts another one in its place for the length of a call (``current``).
package struct CommandOutput: Sendable {
    /// The output of the command that runs in this task.
    @TaskLocal package static var current = CommandOutput.standard

    private let writeData: @Sendable (String) throws(GranaryError) -> Void
    /// Standard error.
    let messages: MessageStream
    /// What standard error is shown on.
    let terminal: Terminal

    /// The process's own streams.
    private static let standard = CommandOutput(
        writeData: { text throws(GranaryError) in
            let output = ByteOutput.standardOutput()
            output.append(text)
            try output.finish()
        },
        // Where even standard error cannot be written there is nobody left to tell.
        messages: MessageStream { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
        terminal: .standardError)

    private var style: MessageStyle { MessageStyle(hasColours: terminal.hasColours) }

    /// Writes a command's result to standard output.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` when the system cannot write.
    package static func write(_ text: String) throws(GranaryError) {
        // Both may be the same terminal.
        current.messages.erase()
        try current.writeData(text)
    }

    /// Writes text to standard output and escapes its control characters, because names from files and models can have some.
    ///
    /// - Throws: as ``write(_:)``.
    package static func writeText(_ text: String) throws(GranaryError) { try write(VisibleText.escapedLines(text)) }

    /// Writes a line to standard error after clearing the progress line. Control characters are escaped.
    package static func log(_ line: String) { current.messages.line(VisibleText.escaped(line)) }

    /// Writes a line of JSON to standard error.
    package static func log(json line: String) { current.messages.line(line) }

    /// Writes `granary: error: message` to standard error. Control characters are escaped.
    package static func logError(_ message: String) { current.messages.line(current.style.error(message)) }

    /// As ``logError(_:)``, for a message of several lines, such as the usage of a command.
    package static func logError(lines message: String) {
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        logError(lines.first.map(String.init) ?? "")
        if lines.count > 1 { current.messages.line(VisibleText.escapedLines(String(lines[1]))) }
    }

    /// Prints a diagnostic in the format of compilers, and its help on a second line.
    package static func log(_ diagnostic: Diagnostic, showsHelp: Bool = true) {
        current.messages.line(current.style.text(diagnostic))
        if showsHelp, let help = diagnostic.help { log("  help: \(help)") }
    }

    /// Prints diagnostics as compilers do, one a line, at most `limit`, then how many there are more.
    ///
    /// - Parameter count: how many there were in all, when more than are at hand.
    package static func log(_ diagnostics: [Diagnostic], count: Int? = nil, limit: Int) {
        for diagnostic in diagnostics.prefix(limit) { log(diagnostic) }
        let rest = max(count ?? diagnostics.count, diagnostics.count) - min(limit, diagnostics.count)
        if rest > 0 { log("… and \(CountText.grouped(rest)) more") }
    }

    /// Prints what made a command give up.
    package static func log(_ error: GranaryError, limit: Int) {
        log(error.diagnostics, limit: limit)
        // A refusal for one reason has the reason's own message.
        if error.diagnostics.count != 1 || error.diagnostics.first?.message != error.message {
            logError(error.message)
        }
    }
}

extension CommandOutput {
    /// What a command wrote, kept for a test.
    package final class Capture: Sendable {
        private let texts = Mutex((data: "", messages: ""))
        private let terminal: Terminal

        package convenience init() { self.init(terminal: .none) }

        init(terminal: Terminal) { self.terminal = terminal }

        package var output: CommandOutput {
            CommandOutput(
                writeData: { text throws(GranaryError) in self.texts.withLock { $0.data += text } },
                messages: MessageStream { text in self.texts.withLock { $0.messages += text } },
                terminal: terminal)
        }

        package var standardOutput: String { texts.withLock { $0.data } }
        package var standardError: String { texts.withLock { $0.messages } }
    }
}
