import ArgumentParser
import Foundation
import GranarySeeding

/// What becomes of the import as a whole.
struct ImportRunArguments: ParsableArguments {
    @Option(help: "What becomes of good rows when others are bad: all-or-nothing or keep-good.")
    var mode = ImportRunOptions.Mode.allOrNothing

    @Option(help: ArgumentHelp("With keep-good: past n rejected records nothing is imported.", valueName: "n"))
    var maxRejects: Int?

    @Option(
        help: ArgumentHelp(
            "With keep-good: the rejected records as they were found, to be mended and imported alone; the reasons go "
                + "beside it.", valueName: "file"), completion: .file())
    var rejects: String?

    @Flag(help: "Replace a report that exists, and a rejects file that no earlier run has written or that was edited.")
    var force = false

    @Flag(help: "Do everything but keep it: the same code, taken back at the last step.")
    var dryRun = false

    @Option(help: "How rows are written: auto, pages (a new store, page by page) or sql. What is stored is the same.")
    var loader = ImportRunOptions.Loader.standard

    @Flag(help: "Leave no entry in the store's ledger of runs.")
    var noLedger = false

    @Flag(help: "Keep what the import changes beside the store, so that granary store revert can take it back.")
    var revertible = false

    @Flag(
        help:
            "Make a store to ship: one file, journal mode DELETE, vacuumed and checked; the same input, the same bytes."
    )
    var ship = false

    @Option(help: ArgumentHelp("The store's UUID, where it is made now or shipped.", valueName: "uuid"))
    var storeUuid: String?

    func validate() throws {
        if mode != .keepGood, maxRejects != nil || rejects != nil {
            throw ValidationError("--rejects and --max-rejects need --mode keep-good.")
        }
        if let maxRejects, maxRejects < 0 { throw ValidationError("--max-rejects cannot be negative.") }
        if noLedger, revertible {
            throw ValidationError("--no-ledger and --revertible exclude each other: what can be taken back is noted.")
        }
        if ship, revertible { throw ValidationError("--ship and --revertible exclude each other.") }
        if storeUuid != nil, identifier == nil { throw ValidationError("--store-uuid is no UUID.") }
    }

    var identifier: UUID? { storeUuid.flatMap(UUID.init) }

    var options: ImportRunOptions {
        var options = ImportRunOptions()
        options.mode = mode
        options.maximumRejects = maxRejects
        options.rejectsPath = rejects
        options.replacesRejects = force
        options.isDryRun = dryRun
        options.keepsLedger = !noLedger
        options.isRevertible = revertible
        options.loader = loader
        return options
    }
}
