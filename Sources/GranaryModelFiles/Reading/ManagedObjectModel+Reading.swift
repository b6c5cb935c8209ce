public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Reads a model from a file or folder.
    ///
    /// The content decides what it is, not the name:
    /// - an `.xcdatamodeld` folder, its current version (`.xccurrentversion`; without one, the first by name);
    /// - an `.xcdatamodel` folder, or the `contents` file in it;
    /// - an archive written by ``write(to:as:replacing:)``, JSON or property list, also in a file named `.momd`.
    ///
    /// What a source says that Granary has no use for is kept in `notes` and written again. The model is not checked
    /// as a whole: that is what `resolved()` does.
    ///
    /// - Throws: `GranaryError` with code `unreadable` when nothing is there or it cannot be read; with code `refused`
    ///   and a diagnostic for each thing that is wrong (model XML: with line and column) otherwise. Compiled models,
    ///   stores and models of Xcode 3 are refused by name.
    public init(contentsOf url: URL) throws(GranaryError) {
        var diagnostics = DiagnosticCollector()
        try self.init(contentsOf: url, diagnostics: &diagnostics)
    }

    /// Reads a model and tells what is worth knowing about it, such as elements that Granary does not know.
    ///
    /// - Parameter diagnostics: takes warnings, and the errors too when the model is refused.
    /// - Throws: as ``init(contentsOf:)``.
    public init(contentsOf url: URL, diagnostics: inout DiagnosticCollector) throws(GranaryError) {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        self = try reader.read(url)
    }

    /// The versions in an `.xcdatamodeld` folder, sorted by name, the current one marked.
    ///
    /// - Throws: `GranaryError` with code `unreadable` when it is no folder, `refused` when `.xccurrentversion` is broken
    ///   or names a version that is not there.
    package static func versions(in url: URL) throws(GranaryError) -> [ModelVersion] {
        let path = url.givenPath
        guard FileKind(path) == .folder else {
            throw GranaryError(.unreadable, "\(path): there is no such folder")
        }
        return try ModelVersion.all(in: path, names: try FolderListing.names(path))
    }
}
