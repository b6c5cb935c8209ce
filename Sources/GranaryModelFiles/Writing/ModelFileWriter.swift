import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Puts a model into the file system: a file through ``ByteOutput``, a folder built beside its place and renamed.
struct ModelFileWriter {
    let path: String
    let format: ModelFileFormat
    let replacing: Bool

    func write(_ model: ManagedObjectModel) throws(GranaryError) {
        switch format {
        case .json: try writeFile(try ModelArchive.json(model, target: path))
        case .xmlPropertyList: try writeFile(try ModelArchive.propertyList(model, as: .xml, target: path))
        case .binaryPropertyList: try writeFile(try ModelArchive.propertyList(model, as: .binary, target: path))
        default: try writeFolder(try ModelXMLWriter.write(model, target: path))
        }
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

    private func writeFolder(_ xml: [UInt8]) throws(GranaryError) {
        try checkFolder()
        let files = FileManager.default
        let temporary = "\(path).\(UUID().uuidString).partial"
        defer { try? files.removeItem(atPath: temporary) }
        do {
            var version = temporary
            try files.createDirectory(atPath: temporary, withIntermediateDirectories: false)
            if format == .xcdatamodeld {
                version += "/\(versionName)"
                try files.createDirectory(atPath: version, withIntermediateDirectories: false)
                let current = PropertyListValue.dictionary([.init(ModelVersion.currentVersionKey, .string(versionName))]
                )
                try Self.write(
                    try PropertyList.write(current, as: .xml), to: "\(temporary)/\(ModelVersion.currentVersionFile)",
                    replacing: false)
            }
            try Self.write(xml, to: version + "/contents", replacing: false)
        } catch let error as GranaryError {
            throw error
        } catch {
            throw uncreatable("cannot be made: \(error.localizedDescription)")
        }
        try putInPlace(temporary)
    }

    /// Renames the finished folder. A folder cannot be renamed over another, so what was there steps aside first, and
    /// comes back when the new one cannot take its place.
    private func putInPlace(_ temporary: String) throws(GranaryError) {
        let files = FileManager.default
        let aside = "\(path).\(UUID().uuidString).old"
        let existed = FileKind(path) != .missing
        do {
            if existed { try files.moveItem(atPath: path, toPath: aside) }
            do {
                try files.moveItem(atPath: temporary, toPath: path)
            } catch {
                if existed { try? files.moveItem(atPath: aside, toPath: path) }
                throw error
            }
        } catch {
            throw GranaryError(
                .inputOutput, "\(path): cannot be put in place: \(error.localizedDescription)", underlying: error)
        }
        if existed { try? files.removeItem(atPath: aside) }
    }

    /// What stands at the target may go only when it is a model and no other version goes with it.
    private func checkFolder() throws(GranaryError) {
        switch FileKind(path) {
        case .missing: return
        case .file, .special: throw uncreatable("is a file; a folder cannot take its place")
        case .folder: break
        }
        guard replacing else { throw uncreatable("exists already; say --force to replace it") }
        let names = try FolderListing.names(path)
        let versions = names.filter { $0.hasSuffix(ModelVersion.suffix) }
        guard names.isEmpty || names.contains("contents") || !versions.isEmpty else {
            throw uncreatable("is a folder that holds no model; it is not replaced")
        }
        if let other = versions.first(where: { format != .xcdatamodeld || $0 != versionName }) {
            throw uncreatable("holds the version \(other), which would be lost; it is not replaced")
        }
    }

    private var versionName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let end = ".xcdatamodeld"
        return (name.hasSuffix(end) ? String(name.dropLast(end.count)) : name) + ModelVersion.suffix
    }

    private func uncreatable(_ message: String) -> GranaryError { GranaryError(.uncreatable, "\(path): \(message)") }
}
