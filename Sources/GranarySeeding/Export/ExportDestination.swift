public import Foundation
package import GranaryBase
public import GranaryFormats

/// The destination and the format of an export.
///
/// CSV, TSV and JSON Lines files contain one entity each. An export of several entities in these formats is a folder
/// with one file for each, named after the entity.
public struct ExportDestination: Sendable {
    enum Target: Sendable {
        case path(String, replacing: Bool)
        case standardOutput
    }

    let target: Target
    let format: DataFormat?
    /// The mode of the files; the process's umask is applied.
    package var permissions: UInt32 = 0o666

    /// A file or folder. It appears, or is replaced, only if the export succeeds.
    ///
    /// - Parameters:
    ///   - format: the format; nil for the format that the extension names.
    ///   - replacing: whether an existing file may be replaced. A folder is replaced only if it contains nothing but
    ///     files of the format.
    public static func file(_ url: URL, format: DataFormat? = nil, replacing: Bool = false) -> ExportDestination {
        path(url.path(percentEncoded: false), format: format, replacing: replacing)
    }

    /// A file or folder by its path, which messages repeat unchanged.
    package static func path(_ path: String, format: DataFormat?, replacing: Bool) -> ExportDestination {
        ExportDestination(target: .path(path, replacing: replacing), format: format)
    }

    /// Standard output. Only JSON and property lists can have several entities there.
    public static func standardOutput(_ format: DataFormat) -> ExportDestination {
        ExportDestination(target: .standardOutput, format: format)
    }

    /// The format of the destination.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if it is unknown.
    package func resolvedFormat() throws(GranaryError) -> DataFormat {
        if let format { return format }
        guard case .path(let path, _) = target else { throw GranaryError(.usage, "standard output needs a format") }
        // Compressed files are not written.
        guard !path.lowercased().hasSuffix(".gz"), let format = DataFormat(fileName: path) else {
            throw GranaryError(.usage, "cannot tell the format from '\(path)'; set the format")
        }
        return format
    }

    /// Throws if the destination exists and must not be replaced, before anything is read.
    package func check() throws(GranaryError) {
        guard case .path(let path, replacing: false) = target, FileManager.default.fileExists(atPath: path) else {
            return
        }
        throw GranaryError(.uncreatable, "\(path): already exists", help: "--force")
    }

    func output() throws(GranaryError) -> ByteOutput {
        switch target {
        case .path(let path, let replacing):
            try .file(path, replacing: replacing, permissions: permissions)
        case .standardOutput: .standardOutput()
        }
    }

    /// A folder with a file for each entity.
    func folder<Table: ValueWriter>(
        _ format: DataFormat, tables: Int, _ makeTable: @escaping (ByteOutput) throws(GranaryError) -> Table
    ) throws(GranaryError) -> FolderWriter<Table> {
        guard case .path(let path, let replacing) = target else {
            throw GranaryError(
                .usage,
                "standard output can have one entity in this format, not \(tables); choose one, or export to a folder")
        }
        return try FolderWriter(
            path: path, fileExtension: format.rawValue, replacing: replacing, permissions: permissions,
            makeTable: makeTable)
    }
}
