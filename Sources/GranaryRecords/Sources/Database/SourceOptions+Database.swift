extension SourceOptions {
    /// The rows of an SQLite database to read; nil for other sources.
    package var databaseContent: DatabaseContent? {
        if let query { return .query(query) }
        return table.map { .table($0) }
    }

    /// The options that contradict each other for an SQLite database.
    var databaseProblems: [OptionProblem] {
        var problems: [OptionProblem] = []
        if table != nil, query != nil { problems.append(OptionProblem("cannot be combined with table", option: "sql")) }
        if table == "" { problems.append(OptionProblem("is empty", option: "table")) }
        if query?.allSatisfy(\.isWhitespace) ?? false { problems.append(OptionProblem("is empty", option: "sql")) }
        let ofFiles =
            [
                ("format", format != nil), ("encoding", encoding != nil), ("delimiter", delimiter != nil),
                ("records", !recordPlaces.isEmpty), ("record-key", recordKey != nil),
            ] + optionsOfDelimited + optionsOfTerms
        for (option, isSet) in ofFiles where isSet {
            problems.append(OptionProblem("is not for SQLite databases", option: option, isMoot: true))
        }
        return problems
    }
}
