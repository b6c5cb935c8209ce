public import Foundation
public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Reads a model from a file or folder.
    ///
    /// The content determines the kind of model, not the name, except for models as text:
    /// - an `.xcdatamodeld` folder: its current version (`.xccurrentversion`) or its only version;
    /// - an `.xcdatamodel` folder, or the `contents` file in it;
    /// - a compiled model: a `.mom` file, or a `.momd` folder with its current version (`VersionInfo.plist`) or its
    ///   only `.mom`;
    /// - an archive written by ``write(to:as:replacing:)``, JSON or property list, also in a file named `.momd`;
    /// - a model as text, a file named `.granary.yaml` or `.granary.json` (docs/model-text.md);
    /// - Swift sources with `@Model` classes, as ``init(swiftDataSources:options:)`` reads them: a file named `.swift`, or
    ///   a folder with such files.
    ///
    /// A compiled model omits data that only the editor uses (`syncable`, scalar types, code generation, the names of
    /// composites). Its entities and properties are in the order of their names. If its version hashes differ from
    /// `VersionInfo.plist`, a warning is reported.
    ///
    /// Parts of the source that Granary does not use are kept in `notes` and written again. The model is not validated
    /// as a whole; call `resolved()` for that.
    ///
    /// - Throws: `GranaryError` with code `unreadable` if the file is missing or cannot be read; otherwise with code
    ///   `refused` and a diagnostic for each problem (in model XML with line and column). Mapping models, the private
    ///   form of compiled models (`.omo`), stores and models of Xcode 3 have specific messages.
    public init(contentsOf url: URL) throws(GranaryError) {
        var diagnostics = DiagnosticCollector()
        try self.init(contentsOf: url, diagnostics: &diagnostics)
    }

    /// Reads a model and reports warnings, such as elements that Granary does not know.
    ///
    /// - Parameter diagnostics: collects the warnings and, if the model is refused, the errors.
    /// - Throws: as ``init(contentsOf:)``.
    public init(contentsOf url: URL, diagnostics: inout DiagnosticCollector) throws(GranaryError) {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        self = try reader.read(url)
    }

    /// Reads a model, and returns whether it is compiled and so omits data that only the editor uses.
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

    /// The model after it was compiled and read again: without data that only the editor uses, predicates as printed.
    ///
    /// - Throws: `GranaryError` with code `refused` if the model cannot be compiled.
    package func asCompiled() throws(GranaryError) -> ManagedObjectModel {
        var diagnostics = DiagnosticCollector()
        return try ManagedObjectModel(
            bytes: try CompiledModelWriter.bytes(of: self), source: "model", diagnostics: &diagnostics)
    }

    /// Reads a model from the bytes of one file in any format; messages name it `source`.
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
    /// - Throws: as ``init(contentsOf:)``; with code `refused` and the existing names if there is no such version.
    package static func read(
        _ url: URL, version: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        var reader = ModelFileReader(diagnostics: diagnostics)
        defer { diagnostics = reader.diagnostics }
        return try reader.read(url, version: version)
    }

    /// The versions in an `.xcdatamodeld` or `.momd` folder, or the versioned schemas of Swift sources, sorted by name,
    /// the current one marked. None is marked if there are several versions and no current name.
    ///
    /// - Throws: `GranaryError` with code `unreadable` if it is not a folder, `refused` if `.xccurrentversion` or
    ///   `VersionInfo.plist` is broken or names a version that does not exist.
    public static func versions(in url: URL) throws(GranaryError) -> [ModelVersion] {
        let path = url.givenPath
        if SwiftSourcePath.isSwift(path) { return try ModelVersion.schemas(in: path) }
        guard FileKind(path) == .folder else {
            throw GranaryError(.unreadable, "\(path): there is no such folder")
        }
        return try ModelVersion.all(in: path, names: try FolderListing.names(path))
    }
}
