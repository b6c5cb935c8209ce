import ArgumentParser
import Foundation
import GranaryBase

/// `granary init`: writes a starting project.
struct InitCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a starting project: model, data, seed plan, test and workflow.",
        discussion: HelpText.paragraphs(
            """
            The folder gets a model as text, two CSV files, a seed plan, a Swift package with a test, and a workflow for
            GitHub that seeds, checks and compares. It can exist; no file is replaced.

            Example:
              granary init Library
              cd Library
              granary seed Seed/seed.yaml
              granary store check Seed/Seed.sqlite
            """))

    @Argument(help: "The folder of the project.", completion: .directory)
    var folder: String

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp(
            "The address or the folder of the package Granary, for the test; without it, write it into Package.swift.",
            valueName: "address"))
    var package = ProjectTemplate.unknownAddress

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if folder.isEmpty || folder == "-" { throw ValidationError("the project needs a folder.") }
        if package.isEmpty { throw ValidationError("--package needs an address or a folder.") }
    }

    func run() throws {
        let root = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let name = URL(filePath: root).standardizedFileURL.lastPathComponent
        let files = ProjectTemplate(name: name, package: package).files
        for file in files where FileKind("\(root)/\(file.path)") != .missing {
            throw GranaryError(.uncreatable, "\(root)/\(file.path): already exists; nothing was written")
        }
        for file in files { try Self.write(file.text, to: "\(root)/\(file.path)") }
        CommandOutput.log("wrote \(CountText.count(files.count, "file")) to \(root)/; next:")
        for line in [
            "cd \(OptionHelp.quoted(root) ?? root)", "granary seed \(ProjectTemplate.plan)",
            "granary store check \(ProjectTemplate.store)",
        ] { CommandOutput.log("  \(line)") }
        if package == ProjectTemplate.unknownAddress {
            CommandOutput.log(
                "replace \(package) in Package.swift by the address of the package Granary, for swift test")
        }
    }

    private static func write(_ text: String, to path: String) throws(GranaryError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw GranaryError(
                .uncreatable, "\(path): its folder cannot be created: \(error.localizedDescription)", underlying: error)
        }
        let output = try ByteOutput.file(path, replacing: false)
        output.append(text)
        try output.finish()
    }
}
