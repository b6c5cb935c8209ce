import ArgumentParser
import Foundation
import GranaryModel

/// `granary model hash`: the version hashes by which Core Data tells whether a store fits a model.
struct ModelHashCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Prints the version hash of each entity, as Core Data computes it.",
        discussion: HelpText.paragraphs(
            """
            The hashes are 32 bytes each, in Base64; checksum and digest are the model's own, as stores keep them.

            Example:
              granary model hash Triage.xcdatamodeld --format json
            """))

    @Argument(help: ArgumentHelp("The model; several are merged.", valueName: "model"), completion: .file())
    var models: [String]

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    private struct Answer: Encodable {
        let entities: [String: String]
        let checksum: String
        let digest: String
    }

    func run() throws {
        let schema = try ModelArgument.load(models)
        let hashes = schema.versionHashes.mapValues { $0.base64EncodedString() }
        switch format {
        case .json:
            try CommandOutput.write(
                CommandJSON.text(Answer(entities: hashes, checksum: schema.checksum, digest: schema.digest)))
        case .text:
            var table = TextTable()
            for entity in schema.entities { table.add(entity.name, hashes[entity.name] ?? "") }
            try CommandOutput.writeText(table.text + "checksum  \(schema.checksum)\ndigest    \(schema.digest)\n")
        }
    }
}
