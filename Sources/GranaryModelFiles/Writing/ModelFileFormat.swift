/// The forms in which a model can be written.
public struct ModelFileFormat: Sendable, Hashable {
    private enum Value {
        case versionedFolder, versionFolder, json, xmlPropertyList, binaryPropertyList
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// An `.xcdatamodeld` folder with one version, which Xcode opens.
    public static let xcdatamodeld = Self(.versionedFolder)
    /// An `.xcdatamodel` folder: one version by itself.
    public static let xcdatamodel = Self(.versionFolder)
    /// An archive as JSON, with sorted keys.
    public static let json = Self(.json)
    /// An archive as an XML property list.
    public static let xmlPropertyList = Self(.xmlPropertyList)
    /// An archive as a binary property list.
    public static let binaryPropertyList = Self(.binaryPropertyList)

    /// The form that a file name asks for: what `.xcdatamodeld`, `.xcdatamodel` and `.json` say, an XML list for `.plist`,
    /// a binary one for `.momd` and everything else.
    public init(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "xcdatamodeld": self = .xcdatamodeld
        case "xcdatamodel": self = .xcdatamodel
        case "json": self = .json
        case "plist": self = .xmlPropertyList
        default: self = .binaryPropertyList
        }
    }

    var isFolder: Bool { value == .versionedFolder || value == .versionFolder }
}
