import ArgumentParser
import Foundation
import GranaryBase

/// Finds the first unknown subcommand or option of a command line that could not be parsed.
///
/// The message of the parser would be about the value after a mistyped option, or about all unparsed words.
enum MistypedName {
    /// The message, such as `unknown option --on-conflct; did you mean "--on-conflict"?`; nil if every name is known.
    static func message(for arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = GranaryCommand.self
        var rest = arguments[...]
        while let first = rest.first, !command.configuration.subcommands.isEmpty {
            guard !first.hasPrefix("-") else { break }
            let names = command.configuration.subcommands.map { $0._commandName }
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == first }) else {
                if first == "help" { return nil }
                return "unknown subcommand \"\(VisibleText.escaped(first))\"" + NearestText.hint(for: first, in: names)
                    + "; the subcommands are \(names.joined(separator: ", "))"
            }
            command = next
            rest = rest.dropFirst()
        }
        let known = options(of: command)
        for word in rest {
            if word == "--" { return nil }
            guard word.hasPrefix("--") else { continue }
            let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
            if !known.contains(name) {
                return "unknown option \(VisibleText.escaped(name))" + NearestText.hint(for: name, in: known.sorted())
            }
        }
        return nil
    }

    /// The names of a command's options, such as `--on-conflict`.
    private static func options(of command: any ParsableCommand.Type) -> Set<String> {
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
