import GranaryPostgreSQL

/// Replaces the connection strings of a command line in its messages, because they can contain passwords. What opens a
/// PostgreSQL store names it without them; this covers texts that repeat an argument, such as those of the argument parser.
enum HiddenPasswords {
    /// The connection strings among the arguments.
    @TaskLocal static var connections: [String] = []

    static func connections(in arguments: [String]) -> [String] {
        arguments.flatMap { argument -> [String] in
            let value =
                argument.hasPrefix("--") ? argument.split(separator: "=", maxSplits: 1).last.map(String.init) : nil
            return [value, argument].compactMap(\.self).filter(ConnectionText.isConnection)
        }
    }

    static func hide(in text: String) -> String {
        connections.reduce(text) { $0.replacing($1, with: ConnectionText.displayName(of: $1)) }
    }
}
