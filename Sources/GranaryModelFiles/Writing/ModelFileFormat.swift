/// The forms in which a model can be written.
public struct ModelFileFormat: Sendable, Hashable {
    private enum Value {
        case versionedFolder, versionFolder, compiledFolder, compiled, json, xmlPropertyList, binaryPropertyList
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// An `.xcdatamodeld` folder, which Xcode opens; with one version or several.
    public static let xcdatamodeld = Self(.versionedFolder)
    /// An `.xcdatamodel` folder: one version by itself.
    public static let xcdatamodel = Self(.versionFolder)
    /// A `.momd` folder, which apps load: a compiled model for each version, and `VersionInfo.plist`.
    public static let momd = Self(.compiledFolder)
    /// A `.mom` file: one version, compiled as Core Data's own compiler does.
    public static let mom = Self(.compiled)
    /// An archive as JSON, with sorted keys.
    public static let json = Self(.json)
    /// An archive as an XML property list.
    public static let xmlPropertyList = Self(.xmlPropertyList)
    /// An archive as a binary property list.
    public static let binaryPropertyList = Self(.binaryPropertyList)

    /// The form that a file name asks for: what `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` and `.json` say, an XML
    /// list for `.plist`, a binary one for everything else.
    public init(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "xcdatamodeld": self = .xcdatamodeld
        case "xcdatamodel": self = .xcdatamodel
        case "momd": self = .momd
        case "mom": self = .mom
        case "json": self = .json
        case "plist": self = .xmlPropertyList
        default: self = .binaryPropertyList
        }
    }

    /// Whether it has a place for several versions of a model.
    package var holdsVersions: Bool { value == .versionedFolder || value == .compiledFolder }

    /// What the name of a version ends with in the folder.
    var versionSuffix: String { value == .compiledFolder ? ModelVersion.compiledSuffix : ModelVersion.suffix }
}
