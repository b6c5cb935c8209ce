import ArgumentParser
import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles

/// `granary model convert`: the same model in another form.
struct ModelConvertCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a model in another form.",
        discussion: HelpText.paragraphs(
            """
            The output's name decides the form: .xcdatamodeld and .xcdatamodel are Xcode's, .momd and .mom compiled models
            as apps load them, .json and .plist archives. Between .xcdatamodeld and .momd all versions are kept, in the
            other forms there is one: the current version, or the one that --version names.

            Examples:
              granary model convert Triage.xcdatamodeld --output Triage.momd
              granary model convert Store.sqlite --output App.xcdatamodeld
            """))

    private static let endings = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "json", "plist"]

    @Argument(help: "The model.", completion: .file())
    var model: String

    @Option(help: ArgumentHelp("Where the model is written.", valueName: "path"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Only this version of a model of several.", valueName: "name"))
    var version: String?

    @Flag(help: "Replace an output that exists.")
    var force = false

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if output.isEmpty || output == "-" { throw ValidationError("--output names a file or folder.") }
        let ending = URL(filePath: output).pathExtension.lowercased()
        if ending == "omo" { throw ValidationError("the private form .omo is not written; name .momd or .mom.") }
        // By mistake the store itself may be named, which --force would replace by an archive.
        guard Self.endings.contains(ending) else {
            let known = Self.endings.map { ".\($0)" }.joined(separator: ", ")
            throw ValidationError("the name of --output says no form of a model; it ends with one of \(known).")
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
        let format = ModelFileFormat(pathExtension: URL(filePath: output).pathExtension)
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
            models.append(NamedModel(name: version.name, model: source))
        }
        guard let current = versions.first(where: { $0.isCurrent || versions.count == 1 }) else {
            throw GranaryError(
                .refused, "\(model): nothing says which of its versions is the current one; choose one by --version")
        }
        try ManagedObjectModel.write(
            models, current: current.name, to: URL(filePath: output), as: format, replacing: force)
    }

    private func tellLeftOut(_ versions: [ModelVersion]) {
        guard versions.count > 1, let current = versions.first(where: \.isCurrent) else { return }
        let others = versions.filter { !$0.isCurrent }.map(\.name).joined(separator: ", ")
        CommandOutput.log(
            "note: \(output) has the current version, \(current.name); left out: \(others) (--version chooses one)")
    }
}
