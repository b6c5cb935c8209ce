import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "import", discussion: "Imports rows.")
}

extension Forgotten: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forgotten", abstract: "Listed nowhere.", discussion: "Example: granary forgotten")
}
