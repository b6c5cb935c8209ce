import ArgumentParser
import GranaryBase

/// What the argument parser does not have: `--help-all`, and an error for help on a command that does not exist.
enum HelpArguments {
    /// The name of the parser for the help with all options.
    private static let parserName = "--help-hidden"

    static func rewritten(_ arguments: [String]) -> [String] {
        // The command `help` of the parser has no such option.
        if arguments.first == "help", arguments.contains("--help-all") {
            return arguments.dropFirst().filter { $0 != "--help-all" } + [parserName]
        }
        var isBehindOptions = false
        return arguments.map { argument in
            isBehindOptions = isBehindOptions || argument == "--"
            return !isBehindOptions && argument == "--help-all" ? parserName : argument
        }
    }

    /// The message about `granary help WORD…` if the words are no command; nil otherwise.
    static func problem(_ arguments: [String]) -> String? {
        guard arguments.first == "help" else { return nil }
        let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
        let named = NamedCommand(words)
        guard let word = named.arguments.first, word != "help" else { return nil }
        let names = named.command.configuration.subcommands.map { $0._commandName }
        let known = words.dropLast(named.arguments.count).joined(separator: " ")
        guard !names.isEmpty else { return "granary \(known) has no subcommands; its help is granary help \(known)" }
        return "there is no command \"\(VisibleText.escaped(word))\"" + NearestText.hint(for: word, in: names)
            + "; the commands are \(names.joined(separator: ", "))"
    }
}
