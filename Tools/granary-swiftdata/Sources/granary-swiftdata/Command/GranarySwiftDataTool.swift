import Foundation

/// The program: reads Swift files and prints a `SourceListing`.
@main
struct GranarySwiftDataTool {
    static func main() {
        let code = LargeStack.run { ToolRun.run(arguments: Array(CommandLine.arguments.dropFirst())) }
        exit(code)
    }
}
