/// The options of the command line.
struct ToolOptions: Equatable {
    enum Action: Equatable { case list, printVersion, printHelp }

    var action = Action.list
    /// The paths of the files in the order of the arguments.
    var paths: [String] = []
    /// Whether standard input has further paths, with NUL after each.
    var readsPathsFromInput = false

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
            case "--files-from":
                guard rest.popFirst() == "-" else {
                    throw UsageError(message: "--files-from takes `-`, which stands for standard input")
                }
                readsPathsFromInput = true
            default: throw UsageError(message: "unknown option '\(argument)'; see --help")
            }
        }
        if action == .list, paths.isEmpty, !readsPathsFromInput {
            throw UsageError(message: "no files; pass files or `--files-from -`")
        }
    }
}

/// A command line that is not understood.
struct UsageError: Error, Equatable {
    let message: String
}
