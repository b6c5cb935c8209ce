import Foundation
import PackagePlugin

/// Generates the classes of a target's Core Data models (`.xcdatamodeld`, `.xcdatamodel`, `.granary.yaml`) and compiles all versions of the
/// models, which become resources of the target. A file `granary.json` or `MODEL.granary.json` beside a model chooses
/// the access level and the entities.
///
/// The models should be excluded in the target's manifest, because SwiftPM does not know them on Linux, and Xcode would
/// compile them a second time.
@main
struct GranaryModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard target is any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "granary-model-tool").url
        let models = Self.models(below: target.directoryURL)
        // Names that differ only in case are one file on some systems.
        var seen: Set<String> = []
        for model in models {
            for output in Self.outputs(of: model) where !seen.insert(output.lowercased()).inserted {
                Diagnostics.error(
                    "\(target.name): \(model.lastPathComponent) has the same output as another model: \(output)")
                return []
            }
        }
        return models.map { model in
            let folder = context.pluginWorkDirectoryURL
            return .buildCommand(
                displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool,
                arguments: [model.path(percentEncoded: false), folder.path(percentEncoded: false)],
                inputFiles: Self.files(of: model) + Self.settings(of: model),
                outputFiles: Self.outputs(of: model).map { folder.appending(path: $0) })
        }
    }

    /// The names of the files that granary-model-tool writes. An `.xcdatamodeld` also has a file for each version, and one
    /// that names the current version; all lie in one folder because SwiftPM copies each of them into the top of the bundle.
    private static func outputs(of model: URL) -> [String] {
        let name = name(of: model)
        let outputs = ["\(name)+Classes.swift", "\(name).mom"]
        let suffix = ".xcdatamodel"
        guard model.pathExtension == "xcdatamodeld",
            let content = try? FileManager.default.contentsOfDirectory(atPath: model.path(percentEncoded: false))
        else { return outputs }
        let versions = content.filter { $0.hasSuffix(suffix) && $0.count > suffix.count }.sorted()
        guard !versions.isEmpty else { return outputs }
        return outputs + ["\(name).versioninfo"] + versions.map { "\(name).\($0.dropLast(suffix.count)).momversion" }
    }

    /// The models in a folder and its subfolders, sorted. A version inside a model is no model of its own.
    private static func models(below folder: URL) -> [URL] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        var result: [URL] = []
        for case let url as URL in walk {
            if url.lastPathComponent.hasSuffix(textSuffix) {
                result.append(url)
            } else if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
                result.append(url)
                walk.skipDescendants()
            }
        }
        return result.sorted { $0.path < $1.path }
    }

    /// The end of the name of a model as text. A file `MODEL.granary.json` is the settings of a model, not a model.
    private static let textSuffix = ".granary.yaml"

    /// The name of a model without the extension.
    private static func name(of model: URL) -> String {
        let name = model.lastPathComponent
        if name.hasSuffix(textSuffix) { return String(name.dropLast(textSuffix.count)) }
        return model.deletingPathExtension().lastPathComponent
    }

    /// The files beside a model that say what to generate, which granary-model-tool reads. A missing one is no input: the
    /// plugin runs again when a file appears in the target.
    private static func settings(of model: URL) -> [URL] {
        let folder = model.deletingLastPathComponent()
        let name = name(of: model)
        return ["\(name).granary.json", "granary.json"].map { folder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
    }

    /// All files of a model, also the hidden one with the name of the current version.
    private static func files(of model: URL) -> [URL] {
        if model.lastPathComponent.hasSuffix(textSuffix) { return [model] }
        guard let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
        else { return [] }
        return walk.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .sorted { $0.path < $1.path }
    }
}
