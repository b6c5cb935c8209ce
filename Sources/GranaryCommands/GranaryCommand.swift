package import ArgumentParser

/// `granary`, the root command.
package struct GranaryCommand: ParsableCommand {
    /// The version of Granary.
    package static let version = "0.1.0"

    package static let configuration = CommandConfiguration(
        commandName: "granary",
        abstract: "Imports files into Core Data stores, exports and queries them.",
        discussion: HelpText.paragraphs(
            """
            Granary validates every row against a Core Data model and writes SQLite stores that Core Data opens.

            Example:
              granary import injuries.csv --model Triage.xcdatamodeld --store Seed.sqlite
              granary export --store Seed.sqlite --format json --output seed.json

            Exit codes: 0 success; 1 rows were rejected, a check found errors, or a comparison found a difference; 64
            wrong usage; 65 data or model refused; 66 an input is missing or unreadable; 70 internal error; 73 an output
            cannot be created, or exists; 74 reading or writing failed; 75 the store is in use; 130 interrupted.
            """),
        version: version,
        subcommands: [
            ImportCommand.self,
            InspectCommand.self,
            SeedCommand.self,
            ExportCommand.self,
            GenerateCommand.self,
            SubsetCommand.self,
            AnonymiseCommand.self,
            QueryCommand.self,
            ProfileCommand.self,
            BrowseCommand.self,
            ModelCommand.self,
            StoreCommand.self,
            InitCommand.self,
        ])

    package init() {}
}
