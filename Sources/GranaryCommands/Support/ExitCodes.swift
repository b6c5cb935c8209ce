import GranaryBase
import GranarySeeding

/// The exit codes of `docs/cli.md`; the names are those of `sysexits.h`.
package enum ExitCodes {
    package static let success: Int32 = 0
    /// Done, and some rows were rejected, or a check found something.
    package static let found: Int32 = 1
    /// The data was refused; nothing was written.
    package static let refused: Int32 = 65
    package static let internalDefect: Int32 = 70
    /// An output could not be written, or a step after the commit failed. The import is then stored, and the message says so.
    package static let failedAfterCommit: Int32 = 74
}

extension GranaryError {
    /// The exit code for what made a command give up.
    package var exitCode: Int32 {
        switch code {
        case .usage: 64
        case .refused: ExitCodes.refused
        case .unreadable: 66
        case .uncreatable: 73
        case .inputOutput: 74
        case .busy: 75
        case .interrupted: 130
        default: ExitCodes.internalDefect
        }
    }
}

extension ImportReport {
    /// The exit code of an import that came to its end.
    var exitCode: Int32 {
        if isRefused { return ExitCodes.refused }
        return rejected > 0 ? ExitCodes.found : ExitCodes.success
    }
}
