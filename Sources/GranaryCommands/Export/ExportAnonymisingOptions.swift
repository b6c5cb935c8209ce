import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryExport
import GranaryRecords
import GranarySubset

/// The options of an export with replaced values.
struct ExportAnonymisingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Treat the values of each attribute as this file decides, see granary anonymise.", valueName: "file"),
        completion: .file())
    var anonymise: String?

    @Option(
        help: ArgumentHelp(
            "The file with the key of hashes and replacements, at least 16 bytes, such as /dev/fd/3.", valueName: "file"
        ),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "The number that determines the replacements (default: it depends on the key, or is random).",
            valueName: "n"))
    var randomSeed: UInt64?

    /// The files that no output may replace.
    var files: [String] { [anonymise, keyFile].compactMap(\.self) }

    func validate() throws {
        if anonymise == nil, keyFile != nil || randomSeed != nil {
            throw ValidationError("--key-file and --random-seed apply only to --anonymise.")
        }
    }

    /// A copy of a store with its values treated as decided; nil without rules.
    ///
    /// - Throws: ``GranaryError``: `refused` if an attribute has no decision, or a value cannot be treated as decided.
    func copy(
        of source: any StoreBackend, missingFiles: MissingFilePolicy, _ storeOptions: StoreOptions
    ) throws -> AnonymisedCopy? {
        guard let anonymise else { return nil }
        var options = SubsetOptions()
        options.rules = try AnonymisationRules(path: anonymise)
        options.hashKey = try keyFile.map { path throws(GranaryError) in try KeyedHash(path: path) }
        options.randomSeed = randomSeed
        options.missingFiles = missingFiles
        options.busyTimeout = storeOptions.busyTimeout
        options.cancellation = Cancellation.current
        return try AnonymisedCopy(of: source, options: options)
    }
}
