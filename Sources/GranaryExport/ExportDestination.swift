public import Foundation
package import GranaryBase
public import GranaryFormats
import GranaryRecords

/// The destination and the format of an export.
///
/// A CSV, TSV or JSON Lines file contains one entity. A folder contains one file for each entity, named after the
/// entity, and the sidecar `granary.json`, which describes them. The destination alone decides whether a file or a
/// folder is written, not the number of entities.
public struct ExportDestination: Sendable {
    enum Target: Sendable {
        case file(String, replacing: Bool)
        /// The path has no slash at its end.
        case folder(String, replacing: Bool)
        case standardOutput
        case stream(@Sendable () throws(GranaryError) -> ByteOutput)
    }

    let target: Target
    let format: DataFormat?
    /// The mode of the files; the process's umask is applied.
    package var permissions: UInt32 = 0o666

    /// A file. It appears, or is replaced, only if the export succeeds. A name that ends in `.gz` is compressed with
    /// gzip. A URL with a slash at its end is a folder, as ``folder(_:format:replacing:)``.
    ///
    /// - Parameters:
    ///   - format: the format; nil for the format that the extension names.
    ///   - replacing: whether an existing file may be replaced.
    public static func file(_ url: URL, format: DataFormat? = nil, replacing: Bool = false) -> ExportDestination {
        path(url.path(percentEncoded: false), format: format, replacing: replacing)
    }

    /// A folder with one file for each entity. It appears, or is replaced, only if the export succeeds.
    ///
    /// - Parameters:
    ///   - format: the format of the files.
    ///   - replacing: whether an existing folder may be replaced. It is replaced only if it contains nothing but files
    ///     of the format, a sidecar and `blobs`.
    public static func folder(_ url: URL, format: DataFormat, replacing: Bool = false) -> ExportDestination {
        path(url.path(percentEncoded: false) + "/", format: format, replacing: replacing)
    }

    /// A file, or a folder if the path ends with a slash. Messages repeat the path unchanged.
    package static func path(_ path: String, format: DataFormat?, replacing: Bool) -> ExportDestination {
        guard path.utf8.last == UInt8(ascii: "/") else {
            return ExportDestination(target: .file(path, replacing: replacing), format: format)
        }
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return ExportDestination(
            target: .folder(String(decoding: bytes, as: UTF8.self), replacing: replacing), format: format)
    }

    /// Standard output. Only JSON and property lists can have several entities there.
    public static func standardOutput(_ format: DataFormat) -> ExportDestination {
        ExportDestination(target: .standardOutput, format: format)
    }

    /// An output of the caller, for one export.
    static func stream(
        _ format: DataFormat, _ makeOutput: @escaping @Sendable () throws(GranaryError) -> ByteOutput
    ) -> ExportDestination {
        ExportDestination(target: .stream(makeOutput), format: format)
    }

    /// Whether each entity has a file of its own.
    var isFolder: Bool { if case .folder = target { true } else { false } }

    /// The format of the destination.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if it is unknown.
    package func resolvedFormat() throws(GranaryError) -> DataFormat {
        if let format { return format }
        switch target {
        case .standardOutput, .stream: throw GranaryError(.usage, "standard output needs a format")
        case .folder(let path, _): throw GranaryError(.usage, "the folder '\(path)' needs a format")
        case .file(let path, _):
            guard let format = DataFormat(fileName: path) else {
                throw GranaryError(.usage, "cannot tell the format from '\(path)'; set the format")
            }
            return format
        }
    }

    /// Throws if the destination exists and must not be replaced, before anything is read.
    ///
    /// - Parameter files: files and folders that the export writes beside a file.
    package func check(beside files: [String] = []) throws(GranaryError) {
        let paths: [String]
        switch target {
        case .standardOutput, .stream, .file(_, replacing: true), .folder(_, replacing: true): return
        case .file(let path, replacing: false): paths = [path] + files
        case .folder(let path, replacing: false): paths = [path]
        }
        for path in paths where FileManager.default.fileExists(atPath: path) {
            throw GranaryError(.uncreatable, "\(path): already exists", help: "--force")
        }
    }

    /// The output of a destination that is not a folder.
    func output() throws(GranaryError) -> ByteOutput {
        switch target {
        case .file(let path, let replacing):
            // An earlier export to the file may have had files beside it and have been killed.
            for suffix in [ExportSidecar.suffix, ExportSidecar.blobSuffix] {
                PartialFile.removeAbandoned(of: path + suffix)
            }
            return try .file(
                path, replacing: replacing, permissions: permissions,
                compressing: path.lowercased().hasSuffix(".gz"))
        case .standardOutput: return .standardOutput()
        case .stream(let makeOutput): return try makeOutput()
        case .folder(let path, _): throw GranaryError(.internalDefect, "\(path): is a folder")
        }
    }

    /// The writer of a folder with a file for each entity.
    func folder<Table: ValueWriter>(
        _ format: DataFormat, sidecar: [UInt8], blobs: Bool,
        _ makeTable: @escaping (ByteOutput) throws(GranaryError) -> Table
    ) throws(GranaryError) -> FolderWriter<Table> {
        guard case .folder(let path, let replacing) = target else {
            throw GranaryError(.internalDefect, "the destination is not a folder")
        }
        return try FolderWriter(
            path: path, fileExtension: format.rawValue, replacing: replacing, permissions: permissions,
            sidecar: sidecar, hasBlobs: blobs, makeTable: makeTable)
    }

    /// Throws if a file or standard output cannot contain so many tables.
    ///
    /// - Parameter isFamily: whether the tables are those of one entity and its subentities.
    func check(tables: Int, _ format: DataFormat, isFamily: Bool) throws(GranaryError) {
        guard !isFolder, tables != 1, !format.holdsSeveralEntities else { return }
        throw GranaryError(
            .usage,
            "a \(format.rawValue) file contains one entity, and the export has \(tables)",
            help: (isFamily ? "--subentities" : "--entity NAME") + " or --output folder/")
    }
}
