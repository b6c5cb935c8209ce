public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Writes the model to a file or folder, completely or not at all.
    ///
    /// The model is written under a temporary name in the same folder and then renamed.
    ///
    /// ```swift
    /// try model.write(to: URL(filePath: "AppDataModel.momd"))  // compiled, as in an app's bundle
    /// ```
    ///
    /// - Parameters:
    ///   - format: the format; nil for the format of the file name (``ModelFileFormat/init(fileName:)``).
    ///   - replacing: whether an existing file or folder may be replaced. A folder is only replaced if it is a model
    ///     and contains no version that is not written.
    /// - Throws: `GranaryError` with code `uncreatable` if the target exists or cannot be created, `inputOutput` if
    ///   writing fails, `refused` if the format cannot represent the model: Xcode's XML has no user info that is not text,
    ///   no control characters and no predicates without a text form; a compiled model must be valid, and all its
    ///   predicates must be in the predicate language. An archive can represent every model.
    public func write(
        to url: URL, as format: ModelFileFormat? = nil, replacing: Bool = false
    ) throws(GranaryError) {
        let format = format ?? ModelFileFormat(fileName: url.lastPathComponent)
        try ModelFileWriter(path: url.givenPath, format: format, replacing: replacing).write(self)
    }

    /// The model as text in YAML, with comments.
    ///
    /// - Parameters:
    ///   - header: comments at the start.
    ///   - comments: the comments of entities and properties, by `Entity` and `Entity.property`.
    /// - Throws: `GranaryError` with code `refused` if text cannot hold the model.
    package func yaml(header: [String], comments: [String: String]) throws(GranaryError) -> [UInt8] {
        try ModelTextWriter.write(self, isJSON: false, target: "the model", header: header, comments: comments)
    }

    /// Writes the versions of a model to a folder, completely or not at all, in a format that holds versions.
    ///
    /// - Parameter current: the name of the current version.
    /// - Throws: as ``write(to:as:replacing:)``; `usage` for a format of one version, for no versions, for a name that
    ///   occurs twice or is not a file name, and for a current version that is not among the versions.
    package static func write(
        _ versions: [NamedModel], current: String, to url: URL, as format: ModelFileFormat, replacing: Bool = false
    ) throws(GranaryError) {
        let path = url.givenPath
        let names = Set(versions.map(\.name))
        let areFileNames = names.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }
        guard format.holdsVersions, names.count == versions.count, names.contains(current), areFileNames else {
            throw GranaryError(.usage, "\(path): these versions cannot be written as one model")
        }
        try ModelFileWriter(path: path, format: format, replacing: replacing).write(versions, current: current)
    }
}
