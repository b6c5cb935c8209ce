import ArgumentParser

/// The options on the messages of an import and on its report.
struct ImportMessageOptions: ParsableArguments {
    /// The title of the options in the help.
    static let title = "Messages and reports"

    @Option(
        help: ArgumentHelp("Write the report as JSON to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var report: String?

    @Option(
        help: ArgumentHelp("Write the report as a page to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var html: String?

    @Flag(help: "Write all diagnostics to the report, not only the first 10,000.")
    var reportAll = false

    @Option(help: "The format of diagnostics; json is one object a line, sarif and csv a document on standard output.")
    var diagnostics = DiagnosticFormat.text

    @Flag(help: "Print errors and the last line only.")
    var quiet = false
}
