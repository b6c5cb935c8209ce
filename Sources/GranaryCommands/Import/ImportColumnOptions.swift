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
            "The attribute by which a relationship's column finds its object; $id for the source's own keys.",
            valueName: "relationship=attribute"))
    var lookup: [String] = []

    @Option(help: ArgumentHelp("What stands between the keys of a to-many relationship.", valueName: "c"))
    var listSeparator = ";"

    func apply(to options: inout ImportOptions) throws {
        for (column, property) in try Self.pairs(map, "--map") { options.columnMap[column] = property }
        options.ignoredColumns = Set(ignore)
        for (property, value) in try Self.pairs(constant, "--constant") { options.constants[property] = value }
        for (relationship, attribute) in try Self.pairs(lookup, "--lookup") {
            options.lookups[relationship] = attribute == "$id" ? .identifier : .attribute(attribute)
        }
        if let byte = try ImportSourceOptions.byte(listSeparator, "--list-separator") { options.listSeparator = byte }
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
