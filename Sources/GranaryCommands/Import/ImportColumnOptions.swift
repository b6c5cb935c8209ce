import ArgumentParser
import GranarySeeding

/// Which column is for which property.
struct ImportColumnOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The property that a column is for; repeatable.", valueName: "column=property"))
    var map: [String] = []

    @Option(help: ArgumentHelp("A column to leave alone; repeatable.", valueName: "column"))
    var ignore: [String] = []

    @Option(help: ArgumentHelp("A value for a property of every row; repeatable.", valueName: "property=value"))
    var constant: [String] = []

    @Option(
        help: ArgumentHelp(
            "The attribute by which a relationship's column finds its object, or several with commas between them for keys "
                + "that are JSON arrays; $id for the source's own keys.", valueName: "relationship=attribute"))
    var lookup: [String] = []

    @Option(help: ArgumentHelp("What stands between the keys of a to-many relationship.", valueName: "c"))
    var listSeparator = ";"

    @Option(
        help: ArgumentHelp(
            "The natural key: attributes that identify the stored object of a row; relationship=attribute sets the key of "
                + "nested objects. Without it, the entity's uniqueness constraint. Repeatable.",
            valueName: "attribute,…"))
    var key: [String] = []

    @Option(help: "What is done with a row whose object the store has: error, update, skip or replace.")
    var onConflict = ImportOptions.ConflictPolicy.error

    @Option(
        help: ArgumentHelp(
            "What is done with a reference to nothing: error, null or create; for one relationship: name=null. Repeatable.",
            valueName: "policy"))
    var onMissing: [String] = []

    @Flag(help: "Delete objects of the entity that no row speaks of, by their delete rules.")
    var prune = false

    @Option(
        help: ArgumentHelp(
            "With --prune: refuse the import if more objects would be deleted (default: 10%, at least 10).",
            valueName: "n|p%"))
    var maxPrune: String?

    @Option(
        help: ArgumentHelp(
            "The files are links of this to-many relationship: the key of an object, and one that it is linked to.",
            valueName: "relationship"))
    var links: String?

    func apply(to options: inout ImportOptions) throws {
        do throws(OptionProblem) {
            (options.key, options.nestedKeys) = try OptionText.keys(key)
        } catch {
            throw ValidationError("--key: \(error.message).")
        }
        options.onConflict = onConflict
        options.prunes = prune
        options.maximumPruned = try ImportSourceOptions.value(maxPrune, "--max-prune", OptionText.pruneLimit)
        if maxPrune != nil, !prune { throw ValidationError("--max-prune needs --prune.") }
        options.linkRelationship = links
        try applyMissing(to: &options)
        for (column, property) in try Self.pairs(map, "--map") { options.columnMap[column] = property }
        options.ignoredColumns = Set(ignore)
        for (property, value) in try Self.pairs(constant, "--constant") { options.constants[property] = value }
        for (relationship, attribute) in try Self.pairs(lookup, "--lookup") {
            options.lookups[relationship] = OptionText.lookup(attribute)
        }
        if let byte = try ImportSourceOptions.byte(listSeparator, "--list-separator") { options.listSeparator = byte }
    }

    private func applyMissing(to options: inout ImportOptions) throws {
        for text in onMissing {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard let policy = parts.last.flatMap(ImportOptions.MissingPolicy.init), !text.hasPrefix("=") else {
                throw ValidationError("--on-missing \(text): the policies are error, null and create.")
            }
            if parts.count == 2 {
                options.missingPolicies[parts[0]] = policy
            } else {
                options.onMissing = policy
            }
        }
    }

    /// `A=B` each; the first `=` counts.
    private static func pairs(_ texts: [String], _ option: String) throws -> [(String, String)] {
        var seen: Set<String> = []
        return try texts.map { text in
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("\(option) \(text): an = is missing.")
            }
            let name = String(text[..<equals])
            guard seen.insert(name).inserted else { throw ValidationError("\(option) names \(name) twice.") }
            return (name, String(text[text.index(after: equals)...]))
        }
    }
}
