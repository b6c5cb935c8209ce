import Foundation
import PackagePlugin

/// Generates the classes of a target's Core Data models (`.xcdatamodeld`, `.xcdatamodel`) and compiles the models, which
/// become resources of the target.
///
/// The models should be excluded in the target's manifest, because SwiftPM does not know them on Linux, and Xcode would
/// compile them a second time.
@main
struct GranaryModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard target is any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "granary-model-tool").url
        let models = Self.models(below: target.directoryURL)
        let names = models.map { Self.name(of: $0) }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            Diagnostics.error("\(target.name) has two models named \(name)")
            return []
        }
        return models.map { model in
            let folder = context.pluginWorkDirectoryURL
            let name = Self.name(of: model)
            return .buildCommand(
                displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool,
                arguments: [model.path(percentEncoded: false), folder.path(percentEncoded: false)],
                inputFiles: Self.files(of: model),
                outputFiles: [
                    folder.appending(path: "\(name)+Classes.swift"), folder.appending(path: "\(name).mom"),
                ])
        }
    }

    private static func name(of model: URL) -> String { model.deletingPathExtension().lastPathComponent }

    /// The models in a folder and its subfolders, sorted. A version inside a model is no model of its own.
    private static func models(below folder: URL) -> [URL] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        var result: [URL] = []
        for case let url as URL in walk where ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
            result.append(url)
            walk.skipDescendants()
        }
        return result.sorted { $0.path < $1.path }
    }

    /// All files of a model, also the hidden one with the name of the current version.
    private static func files(of model: URL) -> [URL] {
        guard let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
        else { return [] }
        return walk.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .sorted { $0.path < $1.path }
    }
}
