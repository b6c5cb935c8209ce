/// The options of the command line.
struct ToolOptions: Equatable {
    enum Action: Equatable { case list, work, printVersion, printHelp }

    var action = Action.list
    /// The paths of the files in the order of the arguments.
    var paths: [String] = []
    /// Whether standard input has further paths, with NUL after each.
    var readsPathsFromInput = false
    var limits = ReadLimits()

    /// Reads the arguments after the name of the program.
    ///
    /// - Throws: `UsageError` if an option is unknown, or if there is no file.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var acceptsOptions = true
        while let argument = rest.popFirst() {
            guard acceptsOptions, argument.hasPrefix("-"), argument != "-" else {
                paths.append(argument)
                continue
            }
            switch argument {
            case "--": acceptsOptions = false
            case "--version": action = .printVersion
            case "--help", "-h": action = .printHelp
            case "--worker": action = .work
            case "--max-file-size": limits.fileMegabytes = try Self.number(rest.popFirst(), of: argument)
            case "--max-seconds": limits.seconds = try Self.number(rest.popFirst(), of: argument)
            case "--max-memory": limits.memoryMegabytes = try Self.number(rest.popFirst(), of: argument)
            case "--files-from":
                guard rest.popFirst() == "-" else {
                    throw UsageError(message: "--files-from takes `-`, which stands for standard input")
                }
                readsPathsFromInput = true
            default: throw UsageError(message: "unknown option '\(argument)'; see --help")
            }
        }
        if arguments == ["help"] { action = .printHelp }
        if action == .list, paths.isEmpty, !readsPathsFromInput {
            throw UsageError(message: "no files; pass files or `--files-from -`")
        }
    }

    /// Returns the arguments that start a worker.
    static func arguments(forWorkerWith limits: ReadLimits) -> [String] {
        [
            "--worker", "--max-file-size", "\(limits.fileMegabytes)", "--max-seconds", "\(limits.seconds)",
            "--max-memory", "\(limits.memoryMegabytes)",
        ]
    }

    private static func number(_ text: String?, of option: String) throws(UsageError) -> Int {
        // The upper bound keeps bytes and seconds inside the numbers of the system.
        guard let text, let number = Int(text), number > 0, number <= 1 << 20 else {
            throw UsageError(message: "\(option) takes a number from 1 to \(1 << 20)")
        }
        return number
    }
}
