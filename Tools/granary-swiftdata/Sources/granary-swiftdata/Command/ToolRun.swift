import Foundation

/// One run of the program.
enum ToolRun {
    /// The version of Granary that this tool belongs to.
    static let version = "0.1.0"
    static let help = """
        OVERVIEW: Prints the declarations in Swift files as JSON, for `granary`. It runs no code and reads no other file.

        USAGE: granary-swiftdata [--version] [--files-from -] [FILE ...]

          --files-from -   Read further paths from standard input, with a NUL byte after each.
          --version        Print the version of the tool and the number of the JSON format.
          --help           Print this text.

        Exit codes: 0 the listing was printed, also if files have problems; 64 wrong usage; 74 reading standard input or
        writing failed.

        """

    /// Reads the files that the arguments name, prints the listing, and returns the exit code.
    static func run(arguments: [String]) -> Int32 {
        do {
            let options = try ToolOptions(arguments)
            switch options.action {
            case .printVersion: try StandardStreams.write("\(version) (format \(SourceListing.currentFormat))\n")
            case .printHelp: try StandardStreams.write(help)
            case .list: try list(options)
            }
            return 0
        } catch let error as UsageError {
            StandardStreams.report(error.message)
            return 64
        } catch {
            StandardStreams.report("reading standard input or writing failed: \(error.localizedDescription)")
            return 74
        }
    }

    private static func list(_ options: ToolOptions) throws {
        let more = options.readsPathsFromInput ? try StandardStreams.readPaths() : []
        var writer = ListingWriter { try StandardStreams.write($0) }
        for path in options.paths + more { try writer.add(SourceFileReader.read(path: path)) }
        try writer.finish()
    }
}
