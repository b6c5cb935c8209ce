import ArgumentParser
import Foundation
import GranaryBase
import GranarySeeding

/// The command line as a function: what the executable and tests call.
public enum GranaryMain {
    /// Runs the process's own arguments and ends the process.
    public static func main() async -> Never {
        // A pipe that its reader has closed ends the process quietly, as it does other commands.
        signal(SIGPIPE, SIG_DFL)
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs one command line, the executable's name left out.
    ///
    /// Data goes to standard output, everything else to standard error.
    /// - Returns: the exit code, as docs/cli.md lists them.
    public static func run(_ arguments: [String]) async -> Int32 {
        var limit = DiagnosticOptions.defaultLimit
        do {
            var command = try GranaryCommand.parseAsRoot(arguments)
            if let printing = command as? any DiagnosticPrinting { limit = printing.diagnosticOptions.maxDiagnostics }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCodes.success
        } catch let error as GranaryError {
            CommandOutput.log(error, limit: limit)
            return error.exitCode
        } catch {
            let code = report(error)
            // Wrong usage of a command whose last line is always the ledger.
            let printsLedger = arguments.first == "import" || arguments.first == "seed"
            if code != ExitCodes.success, printsLedger, !(error is ExitCode) {
                CommandOutput.log(ImportReport().ledger)
            }
            return code
        }
    }

    /// Prints what the argument parser threw: help and version to standard output, a mistake to standard error.
    private static func report(_ error: any Error) -> Int32 {
        let code = GranaryCommand.exitCode(for: error)
        if error is ExitCode { return code.rawValue }
        let message = GranaryCommand.fullMessage(for: error)
        if code.isSuccess {
            do { try CommandOutput.write(message + "\n") } catch { return error.exitCode }
            return code.rawValue
        }
        guard code == .validationFailure else {
            CommandOutput.logError("\(error)")
            return ExitCodes.internalDefect
        }
        let prefix = "Error: "
        CommandOutput.logError(message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
        return code.rawValue
    }
}
