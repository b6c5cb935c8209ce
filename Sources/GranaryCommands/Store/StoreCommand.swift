import ArgumentParser

/// `granary store`: the commands for stores.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Creates, describes, checks, compares and migrates stores, and lists and reverts imports.",
        discussion: HelpText.paragraphs(
            """
            Example:
              granary store info Seed.sqlite
            """),
        subcommands: [
            StoreCreateCommand.self, StoreInfoCommand.self, StoreCheckCommand.self, StoreDiffCommand.self,
            StoreMigrateCommand.self, StoreRunsCommand.self, StoreRevertCommand.self,
        ])
}
