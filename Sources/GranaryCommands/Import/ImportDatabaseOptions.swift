import ArgumentParser
import GranaryRecords

/// The options for SQLite databases.
struct ImportDatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the rows of this table or view of an SQLite database.", valueName: "table"))
    var table: String?

    @Option(
        help: ArgumentHelp(
            "Read the rows of this query of an SQLite database; one statement that only reads.", valueName: "query"))
    var sql: String?

    var areSet: Bool { table != nil || sql != nil }

    /// Checks what only the names of the files can violate.
    func check(files: [String], entity: String?, hasTerms: Bool) throws {
        guard areSet else { return }
        let option = table == nil ? "--sql" : "--table"
        if hasTerms { throw ValidationError("\(option) applies to files, not to --terms.") }
        if files.contains("-") {
            throw ValidationError("\(option): an SQLite database cannot be read from standard input; name a file.")
        }
        if table == nil, entity == nil { throw ValidationError("which entity are these rows? Add --entity NAME.") }
    }
}
