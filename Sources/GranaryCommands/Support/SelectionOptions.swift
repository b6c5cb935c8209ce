import ArgumentParser
import GranaryExport
import GranaryPredicates
import GranaryRecords

/// The options on the columns, the order and the number of objects.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The columns, in this order, separated by commas: properties, $id, $entity and key paths.",
            valueName: "a,b.c,…"))
    var columns: String?

    @Option(
        help: ArgumentHelp(
            "Sort by a key path, with :desc in descending order; repeatable (default: by primary key).",
            valueName: "key"))
    var sort: [String] = []

    @Option(help: ArgumentHelp("The maximum number of objects.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Skip this many objects.", valueName: "n"))
    var offset: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if let offset, offset < 0 { throw ValidationError("--offset cannot be negative.") }
        if let columns, columns.split(separator: ",", omittingEmptySubsequences: false).contains("") {
            throw ValidationError("--columns contains an empty name.")
        }
        for text in sort { _ = try Self.descriptor(text) }
    }

    /// Whether no option on the order or the number is given.
    var isEmpty: Bool { sort.isEmpty && limit == nil && offset == nil }

    func apply(to options: inout ExportOptions) throws {
        options.columns = columns?.split(separator: ",").map(String.init) ?? []
        options.sortDescriptors = try sort.map { try Self.descriptor($0) }
        options.limit = limit
        options.offset = offset ?? 0
    }

    private static func descriptor(_ text: String) throws -> ObjectSortDescriptor {
        do throws(OptionProblem) { return try OptionText.sortDescriptor(text) } catch {
            throw ValidationError("--sort \(error.message).")
        }
    }
}
