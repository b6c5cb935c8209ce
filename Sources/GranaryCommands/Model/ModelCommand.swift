import ArgumentParser

/// `granary model`: what concerns models alone.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Shows, checks, hashes, compares and converts models.",
        discussion: """
            A MODEL is an .xcdatamodeld or .xcdatamodel folder, or a model archive (.json, .plist, or a .momd made of one).

            Example:
              granary model check Triage.xcdatamodeld
            """,
        subcommands: [
            ModelShowCommand.self, ModelCheckCommand.self, ModelHashCommand.self, ModelDiffCommand.self,
            ModelConvertCommand.self,
        ])
}
