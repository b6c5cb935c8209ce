import ArgumentParser
import GranaryImport

/// The options on the import as a whole, apart from ``StoreWritingOptions`` and ``ShippingOptions``.
struct ImportRunArguments: ParsableArguments {
    /// The title of the options in the help.
    static let title = "The import as a whole"

    @Option(help: "Whether valid rows are stored if others are invalid.")
    var mode = ImportRunOptions.Mode.allOrNothing

    @Option(help: ArgumentHelp("With keep-good: import nothing if more than n rows are rejected.", valueName: "n"))
    var maxRejects: Int?

    @Option(
        help: ArgumentHelp(
            "With keep-good: write the rejected rows to this file, as they were read, and the reasons to "
                + "file.reasons.jsonl.", valueName: "file"), completion: .file())
    var rejects: String?

    @Option(
        help: ArgumentHelp(
            "The form of the rejects file: same, or csv for a spreadsheet, with columns for line, column, property, rule "
                + "and message beside the fields."))
    var rejectsFormat = ImportRunOptions.RejectsFormat.same

    @Flag(help: "Replace an existing report, and a rejects file that Granary did not write or that was edited since.")
    var force = false

    @Flag(help: "Run the import, then roll it back.")
    var dryRun = false

    @Flag(
        help:
            "Save what the import changes beside the store or in its database, so that granary store revert can undo the run."
    )
    var revertible = false

    /// Checks the options against each other.
    ///
    /// - Throws: `ValidationError` for options that exclude each other, and for a value that is not valid.
    func check(_ writing: StoreWritingOptions, _ shipping: ShippingOptions) throws {
        if mode != .keepGood, maxRejects != nil || rejects != nil {
            throw ValidationError("--rejects and --max-rejects need --mode keep-good.")
        }
        if rejectsFormat != .same, rejects == nil { throw ValidationError("--rejects-format needs --rejects FILE.") }
        if let maxRejects, maxRejects < 0 { throw ValidationError("--max-rejects cannot be negative.") }
        if writing.noLedger, revertible {
            throw ValidationError("--no-ledger and --revertible exclude each other: reverting needs the ledger.")
        }
        if shipping.ship, revertible { throw ValidationError("--ship and --revertible exclude each other.") }
    }

    func options(_ writing: StoreWritingOptions) -> ImportRunOptions {
        var options = ImportRunOptions()
        options.mode = mode
        options.maximumRejects = maxRejects
        options.rejectsPath = rejects
        options.rejectsFormat = rejectsFormat
        options.keepsLedger = !writing.noLedger
        options.isRevertible = revertible
        options.loader = writing.loader
        return options
    }
}
