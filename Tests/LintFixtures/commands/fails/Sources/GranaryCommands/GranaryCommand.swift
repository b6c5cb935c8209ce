public import ArgumentParser

public struct GranaryCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "granary",
        abstract: "Seeds stores.",
        discussion: "Example: granary import --help",
        subcommands: [
            ImportCommand.self, ModelCommand.self,
        ])
}
