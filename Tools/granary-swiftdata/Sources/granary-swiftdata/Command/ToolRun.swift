import Foundation

/// One run of the program.
enum ToolRun {
    /// The version of Granary that this tool belongs to.
    static let version = "0.1.0"
    static let help = """
        OVERVIEW: Prints the declarations in Swift files as JSON, for `granary`. It runs no code and reads no other file.

        USAGE: granary-swiftdata [OPTIONS] [--files-from -] [FILE ...]

          --files-from -       Read further paths from standard input, with a NUL byte after each.
          --max-file-size MB   Do not read larger files (default: \(ReadLimits().fileMegabytes)).
          --max-seconds S      Do not read files that take longer to parse (default: \(ReadLimits().seconds)).
          --max-memory MB      Do not read files that need more memory (default: \(ReadLimits().memoryMegabytes)).
          --version            Print the version of the tool and the number of the JSON format.
          --help               Print this text.

        Exit codes: 0 the listing was printed, also if files have problems; 64 wrong usage; 70 no second process can be
        started to read the files; 74 reading standard input or writing failed.

        """

    /// Reads the files that the arguments name, prints the listing, and returns the exit code.
    static func run(arguments: [String]) -> Int32 {
        do {
            let options = try ToolOptions(arguments)
            switch options.action {
            case .printVersion: try StandardStreams.write("\(version) (format \(SourceListing.currentFormat))\n")
            case .printHelp: try StandardStreams.write(help)
            case .list: try list(options)
            case .work: try LargeStack.run { Result { try Worker.run(limits: options.limits) } }.get()
            }
            return 0
        } catch let error as UsageError {
            return report(error.message, code: 64)
        } catch let error as WorkerStartError {
            return report(error.message, code: 70)
        } catch {
            // The reader of the output has ended, so it needs no message.
            if StandardStreams.isBrokenPipe(error) { return 74 }
            return report("reading standard input or writing failed: \(error)", code: 74)
        }
    }

    private static func list(_ options: ToolOptions) throws {
        let more = options.readsPathsFromInput ? try StandardStreams.readPaths() : []
        guard let executable = IsolatedReading.ownExecutable else {
            throw WorkerStartError(message: "cannot find the file of this program")
        }
        var writer = ListingWriter { try StandardStreams.write($0) }
        let reading = IsolatedReading(executable: executable, limits: options.limits)
        try reading.read(options.paths + more) { try writer.add($0) }
        try writer.finish()
    }

    private static func report(_ message: String, code: Int32) -> Int32 {
        StandardStreams.report(message)
        return code
    }
}
