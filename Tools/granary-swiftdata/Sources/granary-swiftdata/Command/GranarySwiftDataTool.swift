import Foundation

/// The program: reads Swift files and prints a `SourceListing`.
@main
struct GranarySwiftDataTool {
    static func main() {
        Signals.reset()
        exit(ToolRun.run(arguments: Array(CommandLine.arguments.dropFirst())))
    }
}
