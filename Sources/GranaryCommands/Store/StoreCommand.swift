import ArgumentParser

/// `granary store`: what concerns stores alone.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Creates, describes and checks stores, and takes imports back.",
        discussion: HelpText.paragraphs(
            """
            Example:
              granary store info Seed.sqlite
            """),
        subcommands: [
            StoreCreateCommand.self, StoreInfoCommand.self, StoreCheckCommand.self, StoreRevertCommand.self,
        ])
}
