import ArgumentParser
import Foundation
import GranaryBase
import Synchronization

/// Finds the first unknown subcommand or option of a command line that could not be parsed.
///
/// The message of the parser would be about the value after a mistyped option, or about all unparsed words.
enum MistypedName {
    /// The message, such as `unknown option --on-conflct; did you mean "--on-conflict"?`; nil if every name is known.
    static func message(for arguments: [String]) -> String? {
        let named = NamedCommand(arguments)
        let subcommands = named.command.configuration.subcommands.map { $0._commandName }
        if !subcommands.isEmpty, let word = named.arguments.first, !word.hasPrefix("-") {
            if word == "help" { return nil }
            return "unknown subcommand \"\(VisibleText.escaped(word))\"" + NearestText.hint(for: word, in: subcommands)
                + "; the subcommands are \(subcommands.joined(separator: ", "))"
        }
        let words = named.arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
        if words.isEmpty { return nil }
        let known = options(of: named.command)
        for word in words {
            let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
            if !known.contains(name) {
                return "unknown option \(VisibleText.escaped(name))" + NearestText.hint(for: name, in: known.sorted())
            }
        }
        return nil
    }

    /// The names of the options of the commands that ``options(of:)`` was called for.
    private static let known = Mutex<[ObjectIdentifier: Set<String>]>([:])

    /// The names of a command's options, such as `--on-conflict`.
    private static func options(of command: any ParsableCommand.Type) -> Set<String> {
        let key = ObjectIdentifier(command)
        if let names = known.withLock({ $0[key] }) { return names }
        let names = readOptions(of: command)
        known.withLock { $0[key] = names }
        return names
    }

    private static func readOptions(of command: any ParsableCommand.Type) -> Set<String> {
        struct Dump: Decodable {
            struct Command: Decodable {
                struct Argument: Decodable {
                    struct Name: Decodable {
                        let kind: String
                        let name: String
                    }
                    let names: [Name]?
                }
                let arguments: [Argument]?
            }
            let command: Command
        }
        let always: Set<String> = ["--help", "--version", "--generate-completion-script", "--experimental-dump-help"]
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)) else {
            return always
        }
        let names = (dump.command.arguments ?? []).flatMap { $0.names ?? [] }
        return always.union(names.filter { $0.kind == "long" }.map { "--" + $0.name })
    }
}
