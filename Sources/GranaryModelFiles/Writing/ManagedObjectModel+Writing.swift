public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Writes the model to a file or folder, whole or not at all.
    ///
    /// It is written beside its place under a temporary name and renamed.
    ///
    /// ```swift
    /// try model.write(to: URL(filePath: "AppDataModel.momd"))  // compiled, as an app's bundle has it
    /// ```
    ///
    /// - Parameters:
    ///   - format: the form; nil for the one that the name asks for (``ModelFileFormat/init(pathExtension:)``).
    ///   - replacing: whether something of that name may be replaced. A folder is only replaced when it is a model, and
    ///     when no version is lost but the one that is written.
    /// - Throws: `GranaryError` with code `uncreatable` when the target exists or cannot be made, `inputOutput` when writing
    ///   fails on the way, `refused` for what the form cannot hold: Xcode's XML has no default of type Binary, no
    ///   control characters and no predicate without a text; a compiled model has to be sound, with every predicate in
    ///   the language. An archive has them all.
    public func write(
        to url: URL, as format: ModelFileFormat? = nil, replacing: Bool = false
    ) throws(GranaryError) {
        let format = format ?? ModelFileFormat(pathExtension: url.pathExtension)
        try ModelFileWriter(path: url.givenPath, format: format, replacing: replacing).write(self)
    }

    /// Writes the versions of a model to a folder, whole or not at all, in a form that holds versions.
    ///
    /// - Parameter current: the name of the version that counts.
    /// - Throws: as ``write(to:as:replacing:)``; `usage` for a form of one version, for no versions, a name that comes
    ///   twice or is no file name, and a current version that is not among them.
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
