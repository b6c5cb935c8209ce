import GranaryBase
import GranaryImport

/// The exit codes of `docs/cli.md`; the names are those of `sysexits.h`.
package enum ExitCodes {
    package static let success: Int32 = 0
    /// The command completed, but rows were rejected, a check found errors, or a comparison found a difference.
    package static let found: Int32 = 1
    /// The data was refused; nothing was written.
    package static let refused: Int32 = 65
    package static let internalDefect: Int32 = 70
    package static let interrupted: Int32 = 130
    /// A step after the commit failed. The import is stored, and the message says so.
    package static let failedAfterCommit: Int32 = 74
}

extension GranaryError {
    /// The exit code of a command that ends with this error.
    package var exitCode: Int32 {
        switch code {
        case .usage: 64
        case .refused: ExitCodes.refused
        case .unreadable: 66
        case .uncreatable: 73
        case .inputOutput: 74
        case .busy: 75
        case .interrupted: ExitCodes.interrupted
        default: ExitCodes.internalDefect
        }
    }
}

extension ImportReport {
    /// The exit code of an import that ran to its end.
    var exitCode: Int32 {
        if isRefused { return ExitCodes.refused }
        return rejected > 0 ? ExitCodes.found : ExitCodes.success
    }
}
