import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Writes a model to a file through ``ByteOutput``, or to a folder that is built under a temporary name and renamed.
struct ModelFileWriter {
    let path: String
    let format: ModelFileFormat
    let replacing: Bool

    /// Writes one model. In a folder of versions it is the only version and is named after the folder.
    func write(_ model: ManagedObjectModel) throws(GranaryError) {
        switch format {
        case .json: try writeFile(try ModelArchive.json(model, target: path))
        case .xmlPropertyList: try writeFile(try ModelArchive.propertyList(model, as: .xml, target: path))
        case .binaryPropertyList: try writeFile(try ModelArchive.propertyList(model, as: .binary, target: path))
        case .yamlText, .jsonText:
            try writeFile(try ModelTextWriter.write(model, isJSON: format == .jsonText, target: path))
        case .mom: try writeFile(try compiled(model))
        case .xcdatamodel:
            let contents = try ModelXMLWriter.write(model, target: path)
            try writeFolder([("contents", contents)], versions: [])
        default:
            let name = baseName
            try write([NamedModel(name: name, model: model)], current: name)
        }
    }

    /// Writes all versions into one folder.
    func write(_ versions: [NamedModel], current: String) throws(GranaryError) {
        let names = Set(versions.map { $0.name + format.versionSuffix })
        if format == .momd {
            try writeFolder(try MomdFiles.files(versions, current: current), versions: names)
            return
        }
        var files: [(name: String, bytes: [UInt8])] = []
        for version in versions {
            let place = "\(version.name)\(ModelVersion.suffix)/contents"
            let target = versions.count == 1 ? path : "\(path)/\(place)"
            files.append((place, try ModelXMLWriter.write(version.model, target: target)))
        }
        let entry = PropertyListEntry(ModelVersion.currentVersionKey, .string(current + ModelVersion.suffix))
        files.append((ModelVersion.currentVersionFile, try PropertyList.write(.dictionary([entry]), as: .xml)))
        try writeFolder(files, versions: names)
    }

    /// Core Data's compiler also refuses an invalid model.
    private func compiled(_ model: ManagedObjectModel) throws(GranaryError) -> [UInt8] {
        _ = try model.resolved()
        return try CompiledModelWriter.bytes(of: model)
    }

    private func writeFile(_ bytes: [UInt8]) throws(GranaryError) {
        if FileKind(path) == .folder { throw uncreatable("is a folder; a file cannot take its place") }
        try Self.write(bytes, to: path, replacing: replacing)
    }

    private static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(GranaryError) {
        let output = try ByteOutput.file(path, replacing: replacing)
        output.buffer = bytes
        try output.finish()
    }

    /// - Parameters:
    ///   - contents: the files by their paths in the folder, which are at most one folder deep.
    ///   - versions: the names in the folder of the versions among them.
    private func writeFolder(
        _ contents: [(name: String, bytes: [UInt8])], versions: Set<String>
    ) throws(GranaryError) {
        try checkFolder(versions)
        let folder = try FolderOutput(path: path)
        for (name, bytes) in contents {
            if let slash = name.firstIndex(of: "/") {
                do {
                    try FileManager.default.createDirectory(
                        atPath: "\(folder.temporary)/\(name[..<slash])", withIntermediateDirectories: false)
                } catch {
                    throw uncreatable("cannot be created: \(error.localizedDescription)")
                }
            }
            try Self.write(bytes, to: "\(folder.temporary)/\(name)", replacing: false)
        }
        try folder.finish()
    }

    /// Checks that the target may be replaced: it must be a model without a version that is not written.
    private func checkFolder(_ written: Set<String>) throws(GranaryError) {
        switch FileKind(path) {
        case .missing: return
        case .file, .special: throw uncreatable("is a file; a folder cannot take its place")
        case .folder: break
        }
        guard replacing else { throw GranaryError(.uncreatable, "\(path): already exists", help: "--force") }
        let names = try FolderListing.names(path)
        let versions = names.filter { $0.hasSuffix(ModelVersion.suffix) || $0.hasSuffix(ModelVersion.compiledSuffix) }
        guard names.isEmpty || names.contains("contents") || !versions.isEmpty else {
            throw uncreatable("is a folder without a model; it is not replaced")
        }
        if let other = versions.first(where: { !written.contains($0) }) {
            throw uncreatable("holds the version \(other), which would be lost; it is not replaced")
        }
    }

    /// The target's name without the suffix of its format.
    private var baseName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let end = format == .momd ? ".momd" : ".xcdatamodeld"
        return name.hasSuffix(end) && name.utf8.count > end.utf8.count ? String(name.dropLast(end.count)) : name
    }

    private func uncreatable(_ message: String) -> GranaryError { GranaryError(.uncreatable, "\(path): \(message)") }
}
