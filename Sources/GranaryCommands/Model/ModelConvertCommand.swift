import ArgumentParser
import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles

/// `granary model convert`: the same model in another form.
struct ModelConvertCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a model in another form.",
        discussion: """
            The output's name decides the form: .xcdatamodeld and .xcdatamodel are Xcode's, .json and .plist archives,
            .momd an archive as a binary property list.

            Example:
              granary model convert Triage.xcdatamodeld --output Triage.json
            """)

    @Argument(help: "The model.")
    var model: String

    @Option(help: ArgumentHelp("Where the model is written.", valueName: "path"))
    var output: String

    @Flag(help: "Replace an output that exists.")
    var force = false

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if output.isEmpty || output == "-" { throw ValidationError("--output names a file or folder.") }
        let name = URL(filePath: output).pathExtension.lowercased()
        if name == "mom" || name == "omo" {
            throw ValidationError("compiled models (.\(name)) are not written yet; name .momd, .json or .plist.")
        }
    }

    func run() throws {
        var warnings = DiagnosticCollector()
        let model = try ModelArgument.read([model], warnings: &warnings)
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        try model.write(to: URL(filePath: output), replacing: force)
    }
}
