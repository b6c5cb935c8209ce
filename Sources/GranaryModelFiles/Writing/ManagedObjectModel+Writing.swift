public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Writes the model to a file or folder, whole or not at all.
    ///
    /// It is written beside its place under a temporary name and renamed.
    ///
    /// ```swift
    /// try model.write(to: URL(filePath: "AppDataModel.momd"))  // a binary property list in one file
    /// ```
    ///
    /// - Parameters:
    ///   - format: the form; nil for the one that the name asks for (``ModelFileFormat/init(pathExtension:)``).
    ///   - replacing: whether something of that name may be replaced. A folder is only replaced when it is a model, and
    ///     when no version is lost but the one that is written.
    /// - Throws: `GranaryError` with code `uncreatable` when the target exists or cannot be made, `inputOutput` when writing
    ///   fails on the way, `refused` for what the form cannot hold: Xcode's XML has no validation predicates, no
    ///   second version identifier, no default of type Binary and no control characters. An archive has them all.
    public func write(
        to url: URL, as format: ModelFileFormat? = nil, replacing: Bool = false
    ) throws(GranaryError) {
        let format = format ?? ModelFileFormat(pathExtension: url.pathExtension)
        let path = url.givenPath
        try ModelFileWriter(path: path, format: format, replacing: replacing).write(self)
    }
}
