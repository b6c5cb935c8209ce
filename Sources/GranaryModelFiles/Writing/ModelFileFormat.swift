import Foundation

/// A format in which a model can be written.
public struct ModelFileFormat: Sendable, Hashable {
    private enum Value {
        case versionedFolder, versionFolder, compiledFolder, compiled, json, xmlPropertyList, binaryPropertyList,
            yamlText,
            jsonText
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// An `.xcdatamodeld` folder for Xcode, with one version or several.
    public static let xcdatamodeld = Self(.versionedFolder)
    /// An `.xcdatamodel` folder: a single version.
    public static let xcdatamodel = Self(.versionFolder)
    /// A `.momd` folder for apps: a compiled model for each version, and `VersionInfo.plist`.
    public static let momd = Self(.compiledFolder)
    /// A `.mom` file: one version, as Core Data's compiler writes it.
    public static let mom = Self(.compiled)
    /// An archive as JSON, with sorted keys.
    public static let json = Self(.json)
    /// An archive as an XML property list.
    public static let xmlPropertyList = Self(.xmlPropertyList)
    /// An archive as a binary property list.
    public static let binaryPropertyList = Self(.binaryPropertyList)

    /// A model as text in YAML (`.granary.yaml`).
    public static let yamlText = Self(.yamlText)
    /// A model as text in JSON (`.granary.json`), not an archive.
    public static let jsonText = Self(.jsonText)

    /// The format of a file name: a model as text for `.granary.yaml` and `.granary.json`, otherwise the format of the
    /// path extension.
    public init(fileName: String) {
        if let isJSON = ModelTextFile.isJSON(fileName) {
            self = isJSON ? .jsonText : .yamlText
        } else {
            self.init(pathExtension: URL(filePath: fileName).pathExtension)
        }
    }

    /// The format of a path extension: the format of that name for `xcdatamodeld`, `xcdatamodel`, `momd`, `mom` and
    /// `json`, YAML for `yaml` and `yml`, an XML property list for `plist`, a binary property list for every other extension.
    public init(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "xcdatamodeld": self = .xcdatamodeld
        case "xcdatamodel": self = .xcdatamodel
        case "momd": self = .momd
        case "mom": self = .mom
        case "json": self = .json
        case "yaml", "yml": self = .yamlText
        case "plist": self = .xmlPropertyList
        default: self = .binaryPropertyList
        }
    }

    /// Whether it holds several versions of a model.
    package var holdsVersions: Bool { value == .versionedFolder || value == .compiledFolder }

    /// The suffix of a version's name in the folder.
    var versionSuffix: String { value == .compiledFolder ? ModelVersion.compiledSuffix : ModelVersion.suffix }
}
