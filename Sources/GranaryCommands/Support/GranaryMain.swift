import ArgumentParser
import Foundation
import GranaryBase
import GranaryImport
import GranarySwiftData

/// The entry points of the command line, for the executable and for tests.
package enum GranaryMain {
    /// Runs the process's own arguments and ends the process. No command suspends, so this function is synchronous: it
    /// starts no thread pool.
    package static func main() -> Never {
        // If the reader of a pipe closes it, the process ends without a message, as other commands do.
        signal(SIGPIPE, SIG_DFL)
        if let argument = undecodableArgument() {
            CommandOutput.logError("the argument \"\(argument)\" is not UTF-8; rename the file")
            printLedger(of: Array(CommandLine.arguments.dropFirst()))
            exit(64)
        }
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs a command line.
    ///
    /// Data goes to standard output, everything else to standard error.
    ///
    /// - Parameter arguments: the arguments without the name of the executable.
    /// - Returns: an exit code of docs/cli.md.
    package static func run(_ arguments: [String]) -> Int32 {
        HiddenPasswords.$connections.withValue(HiddenPasswords.connections(in: arguments)) { runCommand(arguments) }
    }

    private static func runCommand(_ arguments: [String]) -> Int32 {
        // Without the parser, whose casts search the protocol conformances of all loaded libraries: by `perf record`,
        // 15 % of the time of this command was in libswiftCore, and nearly all of the rest in the dynamic loader.
        if arguments == ["--version"] { return printData(GranaryCommand.version) }
        let arguments = HelpArguments.rewritten(TrimArgument.rewritten(arguments))
        if let problem = HelpArguments.problem(arguments) {
            CommandOutput.logError(problem)
            return 64
        }
        var limit = DiagnosticOptions.defaultLimit
        do {
            var command = try NamedCommand(arguments).parsed() ?? GranaryCommand.parseAsRoot(arguments)
            if let printing = command as? any DiagnosticPrinting { limit = printing.diagnosticOptions.maxDiagnostics }
            let options = try (command as? any SwiftDataCommand)?.swiftData.options() ?? SwiftDataOptions()
            try SwiftDataOptions.$current.withValue(options) {
                if var command = command as? any InterruptibleCommand {
                    let interrupt = InterruptWatch()
                    defer { interrupt.stop() }
                    try Cancellation.$current.withValue(interrupt.cancellation) { try command.run() }
                } else {
                    try command.run()
                }
            }
            return ExitCodes.success
        } catch let error as GranaryError {
            CommandOutput.log(error, limit: limit)
            return error.exitCode
        } catch {
            let code = report(error, arguments)
            if code != ExitCodes.success, code != 64, !(error is ExitCode) { printLedger(of: arguments) }
            return code
        }
    }

    /// The ledger of an import that did not start. After wrong usage there is none.
    private static func printLedger(of arguments: [String]) {
        if arguments.first == "import" || arguments.first == "seed" { CommandOutput.log(ImportReport().ledger) }
    }

    /// The first argument that is not valid UTF-8, escaped; nil if there is none. `CommandLine.arguments` replaces
    /// invalid bytes, so that such an argument would name another file.
    private static func undecodableArgument() -> String? {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            return VisibleText.escaped(
                UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) })
        }
        return nil
    }

    /// Writes a line to standard output, and returns the exit code.
    private static func printData(_ text: String) -> Int32 {
        do { try CommandOutput.write(text + "\n") } catch { return error.exitCode }
        return ExitCodes.success
    }

    /// The exit code of an error that the argument parser reports with a message.
    ///
    /// `GranaryCommand.exitCode(for:)` would make the message again: in a debug build that takes as long as parsing.
    private static func exitCode(of error: any Error, _ message: String) -> ExitCode {
        // The help of a command.
        if message.hasPrefix("OVERVIEW: ") { return .success }
        // Only the message of a usage error ends with the usage of the command.
        if message.hasPrefix("Error: "), message.contains("\nUsage: ") { return .validationFailure }
        return GranaryCommand.exitCode(for: error)
    }

    /// Prints what the argument parser threw: help and version to standard output, a mistake to standard error.
    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        let message = GranaryCommand.fullMessage(for: error)
        let code = exitCode(of: error, message)
        if code.isSuccess { return printData(message) }
        guard code == .validationFailure else {
            CommandOutput.logError("\(error)")
            return ExitCodes.internalDefect
        }
        let prefix = "Error: "
        var text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
        if let mistyped = MistypedName.message(for: arguments) {
            // The parser's text has the message first and then the usage of the command.
            let usage = text.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
            text = ([mistyped] + usage.map(String.init)).joined(separator: "\n")
        }
        // A line feed is legal in this message, so line feeds in the arguments are escaped before they are put into it.
        for argument in arguments where argument.contains(where: \.isNewline) {
            text.replace(argument, with: VisibleText.escaped(argument))
            // The parser may quote only the value of `--option=value`.
            guard let value = argument.split(separator: "=", maxSplits: 1).dropFirst().first else { continue }
            text.replace(value, with: VisibleText.escaped(String(value)))
        }
        CommandOutput.logError(lines: text)
        return code.rawValue
    }
}
