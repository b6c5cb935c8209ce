public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Reads a model from a file or folder.
    ///
    /// The content decides what it is, not the name:
    /// - an `.xcdatamodeld` folder, its current version (`.xccurrentversion`; without one, the first by name);
    /// - an `.xcdatamodel` folder, or the `contents` file in it;
    /// - a compiled model: a `.mom` file, or a `.momd` folder, whose current version counts (`VersionInfo.plist`; without
    ///   a name there, the only `.mom`);
    /// - an archive written by ``write(to:as:replacing:)``, JSON or property list, also in a file named `.momd`.
    ///
    /// A compiled model has lost what only the editor knows (`syncable`, scalar types, code generation, the names of
    /// composites). Its entities and properties come in the order of their names. Where its version hashes are not those of
    /// `VersionInfo.plist`, a warning says so.
    ///
    /// What a source says that Granary has no use for is kept in `notes` and written again. The model is not checked
    /// as a whole: that is what `resolved()` does.
    ///
    /// - Throws: `GranaryError` with code `unreadable` when nothing is there or it cannot be read; with code `refused`
    ///   and a diagnostic for each thing that is wrong (model XML: with line and column) otherwise. Mapping
    ///   models, the private form of compiled models (`.omo`), stores and models of Xcode 3 are refused by name.
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

    /// Reads a model, and tells whether it is a compiled one, which has lost what only the editor knows.
    ///
    /// - Throws: as ``init(contentsOf:)``.
    package static func read(
        _ url: URL, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> (model: ManagedObjectModel, isCompiled: Bool) {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        let model = try reader.read(url)
        return (model, reader.isCompiled)
    }

    /// The model as a compiled one has it: without what only the editor knows, and predicates in their printed form.
    ///
    /// - Throws: `GranaryError` with code `refused` for a model that cannot be compiled.
    package func asCompiled() throws(GranaryError) -> ManagedObjectModel {
        var diagnostics = DiagnosticCollector()
        return try ManagedObjectModel(
            bytes: try CompiledModelWriter.bytes(of: self), source: "model", diagnostics: &diagnostics)
    }

    /// Reads a model from the bytes of one file, whatever form it has; `source` is what messages call it.
    ///
    /// - Throws: as ``init(contentsOf:)``.
    package init(
        bytes: [UInt8], source: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        self = try reader.read(bytes, source: source)
    }

    /// Reads one version of an `.xcdatamodeld` or `.momd` folder by its name (``versions(in:)``), with or without its
    /// suffix.
    ///
    /// - Throws: as ``init(contentsOf:)``; with code `refused` and the names there when there is no such version.
    package static func read(
        _ url: URL, version: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        return try reader.read(url, version: version)
    }

    /// The versions in an `.xcdatamodeld` or `.momd` folder, sorted by name, the current one marked. In a `.momd` of
    /// several versions without a current name none is.
    ///
    /// - Throws: `GranaryError` with code `unreadable` when it is no folder, `refused` when `.xccurrentversion` or
    ///   `VersionInfo.plist` is broken or names a version that is not there.
    package static func versions(in url: URL) throws(GranaryError) -> [ModelVersion] {
        let path = url.givenPath
        guard FileKind(path) == .folder else {
            throw GranaryError(.unreadable, "\(path): there is no such folder")
        }
        return try ModelVersion.all(in: path, names: try FolderListing.names(path))
    }
}
