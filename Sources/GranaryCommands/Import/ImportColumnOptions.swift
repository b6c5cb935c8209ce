import ArgumentParser
import GranaryImport
import GranaryRecords

/// The options on columns: keys and references, apart from those of ``ImportBasicOptions``.
struct ImportColumnOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A column to ignore; '*' for all columns without a property; repeatable.", valueName: "column"))
    var ignore: [String] = []

    @Option(help: ArgumentHelp("A value for a property in every row; repeatable.", valueName: "property=value"))
    var constant: [String] = []

    @Option(help: ArgumentHelp("The separator between the keys of a to-many relationship.", valueName: "c"))
    var listSeparator = ";"

    @Option(
        help: ArgumentHelp(
            "The natural key: the attributes that identify the stored object of a row (default: the entity's "
                + "uniqueness constraint); relationship=attribute sets the key of nested objects, entity=attribute that of an "
                + "entity; repeatable.",
            valueName: "attribute,…"))
    var key: [String] = []

    @Flag(help: "Rows that are equal in all columns that are read are one object.")
    var distinct = false

    @Option(
        help: ArgumentHelp(
            "How to treat a reference to a missing object: error (default), null or create; relationship=policy sets "
                + "it for one relationship; repeatable.",
            valueName: "policy"))
    var onMissing: [String] = []

    @Flag(
        help: "Delete the objects of the entity, or of the files' entities, that no row mentions, by the delete rules.")
    var prune = false

    @Option(
        help: ArgumentHelp(
            "With --prune: refuse the import if it would delete more objects (default: 10%, at least 10).",
            valueName: "n|p%"))
    var maxPrune: String?

    @Option(
        help: ArgumentHelp(
            "The files are links of this to-many relationship: each row has the key of an object and of a linked one.",
            valueName: "relationship"))
    var links: String?

    func apply(to options: inout ImportOptions) throws {
        do throws(OptionProblem) {
            (options.key, options.nestedKeys) = try OptionText.keys(key)
        } catch {
            throw ValidationError("--key: \(error.message).")
        }
        options.mergesEqualRows = distinct
        options.prunes = prune
        options.maximumPruned = try ImportSourceOptions.value(maxPrune, "--max-prune", OptionText.pruneLimit)
        if maxPrune != nil, !prune { throw ValidationError("--max-prune needs --prune.") }
        options.linkRelationship = links
        try applyMissing(to: &options)
        (options.ignoredColumns, options.ignoresOtherColumns) = OptionText.ignored(ignore)
        for (property, value) in try Self.pairs(constant, "--constant") { options.constants[property] = value }
        if let byte = try ImportSourceOptions.byte(listSeparator, "--list-separator") { options.listSeparator = byte }
    }

    private func applyMissing(to options: inout ImportOptions) throws {
        for text in onMissing {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard let policy = parts.last.flatMap(ImportOptions.MissingPolicy.init), !text.hasPrefix("=") else {
                throw ValidationError("--on-missing \(text): the policy must be error, null or create.")
            }
            if parts.count == 2 {
                options.missingPolicies[parts[0]] = policy
            } else {
                options.onMissing = policy
            }
        }
    }

    /// What the options with `=` are made of, for messages.
    private static let pairForms = [
        "--map": "COLUMN=PROPERTY", "--lookup": "RELATIONSHIP=ATTRIBUTE", "--constant": "PROPERTY=VALUE",
        "--key": "ENTITY=ATTRIBUTE", "--count": "ENTITY=NUMBER", "--generator": "ENTITY.ATTRIBUTE=GENERATOR",
        "--links": "ENTITY.RELATIONSHIP=COUNTS",
    ]

    /// Splits texts such as `A=B` at the first `=`, or at the last one, for columns whose names contain `=`.
    static func pairs(_ texts: [String], _ option: String, last: Bool = false) throws -> [(String, String)] {
        var seen: Set<String> = []
        return try texts.map { text in
            guard let equals = last ? text.lastIndex(of: "=") : text.firstIndex(of: "="), equals != text.startIndex
            else {
                throw ValidationError(
                    "\(option) \(text): = is missing; write \(option) \(pairForms[option] ?? "NAME=VALUE").")
            }
            let name = String(text[..<equals])
            guard seen.insert(name).inserted else { throw ValidationError("\(option) names \(name) twice.") }
            return (name, String(text[text.index(after: equals)...]))
        }
    }
}
