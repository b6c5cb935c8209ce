import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryModelFiles

/// `granary model convert`: writes a model in another format.
struct ModelConvertCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a model to another format.",
        discussion: HelpText.paragraphs(
            """
            The output's extension selects the format: .xcdatamodeld and .xcdatamodel for Xcode, .momd and .mom for apps
            (compiled models), .json and .plist for model archives,
            .granary.yaml and .granary.json for models as text (docs/model-text.md). A conversion between .xcdatamodeld and .momd keeps
            all versions. Other formats contain one version: the current one, or the one that --version names.

            Examples:
              granary model convert Triage.xcdatamodeld --output Triage.momd
              granary model convert Store.sqlite --output App.xcdatamodeld
              granary model convert App.xcdatamodeld --output App.granary.yaml
            """))

    private static let endings = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "json", "plist", "yaml", "yml"]

    @Argument(help: "The model.", completion: .file())
    var model: String

    @Option(help: ArgumentHelp("The file or folder to write.", valueName: "path"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Convert only this version.", valueName: "name"))
    var version: String?

    @Flag(help: "Replace an existing output.")
    var force = false

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if output == "-" { throw ValidationError("--output must be a file or folder.") }
        try Self.check(output: output)
    }

    /// Checks that the output is `-` or has an extension of a model. Otherwise a mistyped command with --force could
    /// replace a store by an archive.
    static func check(output: String) throws {
        if output.isEmpty { throw ValidationError("--output must be a file or folder.") }
        if output == "-" { return }
        let ending = URL(filePath: output).pathExtension.lowercased()
        if ending == "omo" { throw ValidationError("the private format .omo cannot be written; use .momd or .mom.") }
        guard Self.endings.contains(ending) else {
            let known =
                Self.endings.prefix(6).map { ".\($0)" }.joined(separator: ", ") + ", .granary.yaml, .granary.json"
            throw ValidationError("the extension of --output is not a model format; use one of \(known).")
        }
    }

    func run() throws {
        let versions = FileKind(model) == .folder ? try ManagedObjectModel.versions(in: URL(filePath: model)) : []
        if let version, !versions.contains(where: { $0.name == version }) {
            let there = versions.isEmpty ? "no versions" : versions.map(\.name).joined(separator: ", ")
            throw GranaryError(.refused, "\(model): there is no version \"\(version)\"; it has \(there)")
        }
        var chosen = versions
        if let version { chosen.removeAll { $0.name != version } }
        let format = ModelFileFormat(fileName: output)
        var warnings = DiagnosticCollector()
        if format.holdsVersions, !chosen.isEmpty {
            try convert(chosen, format, &warnings)
        } else {
            let result =
                if let version {
                    try ManagedObjectModel.read(URL(filePath: model), version: version, diagnostics: &warnings)
                } else {
                    try ManagedObjectModel.read(path: model, diagnostics: &warnings).model
                }
            // An invalid model is not converted, since other tools would read it as another model.
            _ = try result.resolved()
            try result.write(to: URL(filePath: output), as: format, replacing: force)
            if version == nil { tellLeftOut(versions) }
        }
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
    }

    /// The versions keep their names.
    private func convert(
        _ versions: [ModelVersion], _ format: ModelFileFormat, _ warnings: inout DiagnosticCollector
    ) throws(GranaryError) {
        var models: [NamedModel] = []
        for version in versions {
            let source = try ManagedObjectModel.read(
                URL(filePath: model), version: version.name, diagnostics: &warnings)
            _ = try source.resolved()
            models.append(NamedModel(name: version.name, model: source))
        }
        guard let current = versions.first(where: { $0.isCurrent || versions.count == 1 }) else {
            throw GranaryError(
                .refused, "\(model): no version is marked as the current one", help: "--version NAME")
        }
        try ManagedObjectModel.write(
            models, current: current.name, to: URL(filePath: output), as: format, replacing: force)
    }

    private func tellLeftOut(_ versions: [ModelVersion]) {
        guard versions.count > 1, let current = versions.first(where: \.isCurrent) else { return }
        let others = versions.filter { !$0.isCurrent }.map(\.name).joined(separator: ", ")
        CommandOutput.log(
            "note: \(output) contains the current version, \(current.name), not \(others); --version selects another"
        )
    }
}
