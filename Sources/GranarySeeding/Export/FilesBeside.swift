import Foundation
import GranaryBase
import GranaryCoordination

/// The files that an export writes beside a single file: its sidecar and the folder of values. A file has them only if
/// it cannot be read without them, or if an import would read an older sidecar.
struct FilesBeside {
    /// The path of the exported file.
    private let path: String
    /// The name of the exported file.
    let name: String
    private let hasValues: Bool
    private let replacing: Bool
    private let permissions: UInt32

    /// Nil for an export without such files: to a folder, which has its own, to standard output, to a device or a pipe.
    init?(_ destination: ExportDestination, _ options: ExportOptions) {
        guard case .file(let path, let replacing) = destination.target, FileKind(path) != .special,
            options.isForSpreadsheets || options.blobs == .files || ImportSidecar.describes(path)
        else { return nil }
        self.path = path
        self.replacing = replacing
        permissions = destination.permissions
        hasValues = options.blobs == .files
        let bytes = Array(path.utf8)
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        name = String(decoding: bytes[start...], as: UTF8.self)
    }

    private var sidecarPath: String { path + ExportSidecar.suffix }
    private var valuesPath: String { path + ExportSidecar.blobSuffix }

    /// The paths of the files, which must not exist unless they are replaced.
    var paths: [String] { [sidecarPath] + (hasValues ? [valuesPath] : []) }

    /// Creates the files under temporary names.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if one cannot be created or replaced.
    func begin(_ sidecar: ExportSidecar) throws(GranaryError) -> Output {
        let output = try ByteOutput.file(sidecarPath, replacing: replacing, permissions: permissions)
        output.buffer.append(contentsOf: sidecar.text)
        // The sidecar is complete before the first file gets its name.
        try output.prepare()
        guard hasValues else { return Output(sidecar: output, folder: nil, values: nil) }
        if let reason = ValueFolder.refusal(toReplace: valuesPath) {
            throw GranaryError(.uncreatable, "\(valuesPath): cannot be replaced: \(reason)")
        }
        let folder = try FolderOutput(path: valuesPath, permissions: permissions | (permissions & 0o444) >> 2)
        let values = ValueFolder(
            folder: folder.temporary, name: name + ExportSidecar.blobSuffix, permissions: permissions, exists: true)
        return Output(sidecar: output, folder: folder, values: values)
    }

    /// The files under their temporary names, which are removed unless they are finished.
    struct Output {
        fileprivate let sidecar: ByteOutput
        fileprivate let folder: FolderOutput?
        /// Receives the values; nil if they are in the table.
        let values: ValueFolder?

        /// Renames the files to their names.
        ///
        /// - Throws: ``GranaryError`` with code `inputOutput`.
        func finish() throws(GranaryError) {
            // Without values there is no folder, unless one with old values must go.
            if let folder, let values, values.count > 0 || FileKind(folder.path) == .folder { try folder.finish() }
            try sidecar.finish()
        }
    }
}
