import ArgumentParser
import Foundation
import GranaryModel

/// `granary model hash`: prints the version hashes, with which Core Data checks whether a model fits a store.
struct ModelHashCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Prints the version hash of each entity, as Core Data computes it.",
        discussion: HelpText.paragraphs(
            """
            Each hash is 32 bytes in Base64. The checksum and the digest of the whole model are those that stores
            contain.

            Example:
              granary model hash Triage.xcdatamodeld --format json
            """))

    @Argument(help: ArgumentHelp("The model; several are merged.", valueName: "model"), completion: .file())
    var models: [String]

    @Option(help: "The format of the result.")
    var format = ReportFormat.text

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let schema = try ModelArgument.load(models)
        let hashes = schema.versionHashes.mapValues { $0.base64EncodedString() }
        switch format {
        case .json:
            let result: JSONObject = ["entities": hashes, "checksum": schema.checksum, "digest": schema.digest]
            try CommandOutput.write(CommandJSON.text(result))
        case .text:
            var table = TextTable()
            for entity in schema.entities { table.add(entity.name, hashes[entity.name] ?? "") }
            try CommandOutput.writeText(table.text + "checksum  \(schema.checksum)\ndigest    \(schema.digest)\n")
        }
    }
}
