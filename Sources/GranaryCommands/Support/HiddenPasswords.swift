import GranaryPostgreSQL

/// Replaces the connection strings of a command line in its messages, because they can contain passwords. What opens a
/// PostgreSQL store names it without them; this covers texts that repeat an argument, such as those of the argument parser.
enum HiddenPasswords {
    /// The connection strings among the arguments.
    @TaskLocal static var connections: [String] = []

    /// Whole arguments, and URLs at their ends: `--store=postgresql://…`, `STORE=postgresql://…`.
    static func connections(in arguments: [String]) -> [String] {
        arguments.flatMap { argument -> [String] in
            let starts = ["postgresql://", "postgres://"].compactMap { argument.firstRange(of: $0)?.lowerBound }
            return (starts.map { String(argument[$0...]) } + [argument]).filter(ConnectionText.isConnection)
        }
    }

    static func hide(in text: String) -> String {
        connections.reduce(text) { $0.replacing($1, with: ConnectionText.displayName(of: $1)) }
    }
}
