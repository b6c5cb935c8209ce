import ArgumentParser
import GranaryImport
import GranaryRecords

/// The options that most imports need; the help prints them alone.
struct ImportBasicOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store, or for a new store in "
                + "the files).", valueName: "model"
        ),
        completion: .file())
    var model: [String] = []

    @Option(
        help: ArgumentHelp("The store, which is created if it does not exist.", valueName: "store"),
        completion: .file())
    var store: String

    @Option(help: "The entity of the rows; not needed if the files name their entities or are named after them.")
    var entity: String?

    @Option(
        help: ArgumentHelp(
            "The property of a column, if their names differ; a column can be a path into objects and lists, such as "
                + "contact.email or images.0.url, and name its entity: Order.id; repeatable.",
            valueName: "column=property"))
    var map: [String] = []

    @Option(
        help: ArgumentHelp(
            "The attribute of the destination that the relationship's column contains; several, separated by commas, "
                + "for keys that are JSON arrays; $id for keys such as Injury/p2; repeatable.",
            valueName: "relationship=attribute"))
    var lookup: [String] = []

    @Option(help: "How to treat a row whose object exists in the store.")
    var onConflict = ImportOptions.ConflictPolicy.error

    func apply(to options: inout ImportOptions) throws {
        options.onConflict = onConflict
        for (column, property) in try ImportColumnOptions.pairs(map, "--map", last: true) {
            options.columnMap[column] = property
        }
        for (relationship, attribute) in try ImportColumnOptions.pairs(lookup, "--lookup") {
            options.lookups[relationship] = OptionText.lookup(attribute)
        }
    }
}
