package import Foundation

/// The names of models as text. Unlike other models, they are recognised by their names, because any text can be YAML.
package enum ModelTextFile {
    private static let endings: [(ending: String, isJSON: Bool)] = [
        (".granary.yaml", false), (".granary.yml", false), (".granary.json", true), (".yaml", false), (".yml", false),
    ]

    /// Whether the file is JSON and not YAML; nil if its name is not that of a model as text.
    static func isJSON(_ path: String) -> Bool? { entry(path)?.isJSON }

    /// The file's name without folders and the ending; nil if it is not that of a model as text.
    static func baseName(_ path: String) -> String? {
        guard let ending = entry(path)?.ending, let name = path.split(separator: "/").last else { return nil }
        return String(name.dropLast(ending.count))
    }

    /// The name of a model by its path, without the extension.
    package static func modelName(_ url: URL) -> String {
        baseName(url.lastPathComponent) ?? url.deletingPathExtension().lastPathComponent
    }

    private static func entry(_ path: String) -> (ending: String, isJSON: Bool)? {
        let name = path.lowercased()
        return endings.first { name.hasSuffix($0.ending) }
    }
}
