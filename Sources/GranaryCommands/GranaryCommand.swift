package import ArgumentParser

/// `granary`: the root of all commands.
package struct GranaryCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "granary",
        abstract: "Seed data for Core Data: files in, a store out, and back.",
        discussion: HelpText.paragraphs(
            """
            The model decides what a file may hold; a store that is written is one that Core Data opens.

            Example:
              granary import injuries.csv --model Triage.xcdatamodeld --store Seed.sqlite
              granary export --store Seed.sqlite --format json --output seed.json

            Exit codes: 0 done; 1 a check found something; 64 wrong usage; 65 data or model refused; 66 an input is
            missing; 70 internal error; 73 an output cannot be created; 74 reading or writing failed; 75 the store is in
            use; 130 interrupted.
            """),
        version: "0.1.0",
        subcommands: [
            ImportCommand.self,
            SeedCommand.self,
            ExportCommand.self,
            ModelCommand.self,
            StoreCommand.self,
        ])

    package init() {}
}
