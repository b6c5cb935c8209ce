import GranaryBase
import GranaryCoreDataStore
import GranaryImport
import GranarySeedPlans

/// The options on the messages of an import.
struct ImportPrintingOptions {
    var format = DiagnosticFormat.text
    /// The value of `--max-diagnostics`. If it is nil, text output prints five diagnostics of each rule and property,
    /// at most 50 in total.
    var maxDiagnostics: Int?
    var limit: Int { maxDiagnostics ?? DiagnosticOptions.defaultLimit }
    var isQuiet = false
    var help = HelpForm.options
    var isDryRun = false
    /// Whether the run can be reverted. Its name is then printed.
    var isRevertible = false
    /// Whether a store in a database existed before the run; nil for a store file.
    var isInOldDatabase: Bool?
    /// How the rejects file is imported, if not with the same command; nil otherwise.
    var rejectsHint: String?
    let document = DocumentState()

    /// Whether SARIF or CSV was written to standard output. It is written once, even if the import fails later.
    final class DocumentState {
        var isWritten = false
    }
}
