import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Reads the model at a path: a file or a folder, a source or an archive.
///
/// path → file or folder → (folder: the current version) → bytes → kind of content → model.
struct ModelFileReader {
    var diagnostics: DiagnosticCollector
    /// Whether the model that was read last is compiled.
    private(set) var isCompiled = false

    init(diagnostics: DiagnosticCollector) { self.diagnostics = diagnostics }

    mutating func read(_ url: URL) throws(GranaryError) -> ManagedObjectModel {
        let path = url.givenPath
        if SwiftSourcePath.isSwift(path) {
            return try ManagedObjectModel(swiftPaths: [path], diagnostics: &diagnostics)
        }
        switch FileKind(path) {
        case .missing: throw GranaryError(.unreadable, "\(path): there is no such file")
        case .special: throw GranaryError(.unreadable, "\(path): is neither a file nor a folder")
        case .file: return try readFile(path)
        case .folder: return try readFolder(path)
        }
    }

    /// Reads one version of a versioned model by its name, with or without its suffix.
    mutating func read(_ url: URL, version: String) throws(GranaryError) -> ManagedObjectModel {
        let path = url.givenPath
        let versions = try ManagedObjectModel.versions(in: url)
        guard let found = versions.first(where: { $0.name == version || $0.fileName == version }) else {
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(path): there is no version \"\(Diagnostic.shortened(version))\"; the folder holds "
                        + ModelVersion.list(versions)))
        }
        return try read(found, in: path)
    }

    private mutating func read(
        _ version: ModelVersion, in folder: String
    ) throws(GranaryError) -> ManagedObjectModel {
        if version.isSwift { return try ManagedObjectModel(swiftPaths: [version.path], diagnostics: &diagnostics) }
        guard version.isCompiled else { return try readFolder(version.path) }
        let model = try readFile(version.path)
        let info = try VersionInfo.read(in: folder)
        diagnostics.add(contentsOf: info?.differences(from: model, version: version.name) ?? [])
        return model
    }

    private mutating func readFile(_ path: String) throws(GranaryError) -> ManagedObjectModel {
        try read(try ByteSource(path: path).readAll(limit: ModelArchive.bytes), source: path)
    }

    /// Reads the content of a file. Messages name it `path`.
    mutating func read(_ bytes: [UInt8], source path: String) throws(GranaryError) -> ManagedObjectModel {
        if let isJSON = ModelTextFile.isJSON(path) {
            return try ModelTextReader.read(bytes, source: path, isJSON: isJSON)
        }
        switch ModelFileKind(bytes) {
        case .modelXML: return try ModelXMLReader.read(bytes, source: path, diagnostics: &diagnostics)
        case .json: return try ModelArchive.readJSON(bytes, source: path)
        case .propertyList:
            // A binary keyed archive is a table of objects, so it is read without building a tree.
            if PropertyListFormat.detect(bytes) == .binary, let archive = try? KeyedArchive(bytes, source: path) {
                isCompiled = true
                return try CompiledModelReader.read(archive, source: path, diagnostics: &diagnostics)
            }
            let list = try propertyList(bytes, path)
            guard !ModelArchive.isArchive(list), list["$archiver"] != nil else {
                return try ModelArchive.readPropertyList(list, source: path)
            }
            let archive = try KeyedArchive(bytes, source: path, limits: ModelArchive.limits)
            isCompiled = true
            return try CompiledModelReader.read(archive, source: path, diagnostics: &diagnostics)
        case .memoryMappedModel:
            throw refusal(
                "is a compiled model in its private form (.omo); name the .mom beside it, or the folder", path)
        case .store: throw refusal("is a store, not a model; name its model", path)
        case .empty: throw refusal("is empty", path)
        case .other:
            throw refusal(
                "is not a model: it is neither model XML nor an archive as JSON or property list, and its name does not end "
                    + "with .granary.yaml", path)
        }
    }

    private mutating func readFolder(_ path: String) throws(GranaryError) -> ManagedObjectModel {
        let contents = path + "/contents"
        if FileKind(contents) == .file { return try readFile(contents) }
        let names = try FolderListing.names(path)
        if let version = try ModelVersion.current(in: path, names: names) { return try read(version, in: path) }
        if names.contains("elements") || names.contains("layout") {
            throw refusal(
                "is a model of Xcode 3 (an \"elements\" archive without \"contents\"); "
                    + "open it in a newer Xcode and save it", path)
        }
        if path.hasSuffix(".momd"), let archive = archive(in: path, names) { return try readFile(archive) }
        if names.contains(where: { $0.hasSuffix(".cdm") }) {
            throw refusal("holds a compiled mapping model (.cdm), but no model", path)
        }
        if names.contains(VersionInfo.file) || names.contains(where: { $0.hasSuffix(".omo") }) {
            throw refusal("is a folder of compiled models without a .mom file", path)
        }
        throw refusal("is a folder without a model: it has neither \"contents\" nor an .xcdatamodel", path)
    }

    /// The path of the Granary archive in a folder, such as a `.momd` folder with an archive.
    private func archive(in folder: String, _ names: [String]) -> String? {
        for name in names.prefix(1_000) where name != VersionInfo.file {
            let path = "\(folder)/\(name)"
            // The first bytes exclude most files, so that only few are read completely.
            guard FileKind(path) == .file, Self.mayBeArchive(path),
                let bytes = try? ByteSource(path: path).readAll(limit: ModelArchive.bytes)
            else { continue }
            switch ModelFileKind(bytes) {
            case .propertyList:
                if let list = try? propertyList(bytes, path), ModelArchive.isArchive(list) { return path }
            case .json where bytes.prefix(1_000).contains(Array("\"granaryModel\"".utf8)): return path
            default: continue
            }
        }
        return nil
    }

    private static func mayBeArchive(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 1_000) else { return false }
        switch ModelFileKind(Array(start)) {
        case .propertyList, .json: return true
        default: return false
        }
    }

    private func propertyList(_ bytes: [UInt8], _ path: String) throws(GranaryError) -> PropertyListValue {
        try PropertyList.read(bytes, source: path, limits: ModelArchive.limits)
    }

    private func refusal(_ message: String, _ path: String) -> GranaryError {
        GranaryError(Diagnostic(.modelSyntax, "\(path): \(message)"))
    }
}
