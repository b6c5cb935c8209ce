import ArgumentParser

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "About models.", discussion: "Example: granary model show M",
        subcommands: [Show.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a model.",
            discussion: """
                Example:
                  granary model show M
                """)
    }
}
