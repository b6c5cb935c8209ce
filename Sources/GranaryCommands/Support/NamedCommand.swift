import ArgumentParser

/// The command that a command line names.
struct NamedCommand {
    /// A command; or `granary` or a group of commands, if the next word is no subcommand of it.
    let command: any ParsableCommand.Type
    /// The arguments after its name.
    let arguments: ArraySlice<String>

    /// - Parameter words: the arguments without the name of the executable.
    init(_ words: [String]) {
        var command: any ParsableCommand.Type = GranaryCommand.self
        var arguments = words[...]
        while let word = arguments.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            arguments = arguments.dropFirst()
        }
        self.command = command
        self.arguments = arguments
    }

    /// Parses the arguments with the parser of the command. It makes the options of the command twice, not three times
    /// as the parser of the root does, and it needs the configuration of no other command.
    ///
    /// - Returns: nil if the root must parse the whole command line: for a group, for help and the version, and after a
    ///   mistake, because the messages of this parser have the name of the command without `granary`.
    func parsed() -> (any ParsableCommand)? {
        guard command.configuration.subcommands.isEmpty,
            !arguments.contains(where: { ["-h", "--help", "--version"].contains($0) }),
            let parsed = try? command.parseAsRoot(Array(arguments)), type(of: parsed) == command
        else { return nil }
        return parsed
    }
}
