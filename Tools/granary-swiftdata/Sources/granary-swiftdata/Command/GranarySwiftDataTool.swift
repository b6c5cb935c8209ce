import Foundation

/// The program: reads Swift files and prints a `SourceListing`.
@main
struct GranarySwiftDataTool {
    static func main() {
        // Writing to a closed pipe is an error instead of a signal, so that the end of a worker does not end the parent.
        signal(SIGPIPE, SIG_IGN)
        exit(ToolRun.run(arguments: Array(CommandLine.arguments.dropFirst())))
    }
}
