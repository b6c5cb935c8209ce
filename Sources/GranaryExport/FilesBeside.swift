import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryRecords

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
            options.isForSpreadsheets || !options.form.isPlain || options.blobs == .files
                || ImportSidecar.describes(path)
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
        let output = try prepared(sidecar.text)
        let marker = try prepared(ExportSidecar.incompleteText)
        guard hasValues else { return Output(sidecar: output, folder: nil, values: nil, marker: marker) }
        if let reason = ValueFolder.refusal(toReplace: valuesPath) {
            throw GranaryError(.uncreatable, "\(valuesPath): cannot be replaced: \(reason)")
        }
        let folder = try FolderOutput(path: valuesPath, permissions: permissions | (permissions & 0o444) >> 2)
        let values = ValueFolder(
            folder: folder.temporary, name: name + ExportSidecar.blobSuffix, permissions: permissions, exists: true)
        return Output(sidecar: output, folder: folder, values: values, marker: marker)
    }

    /// A sidecar that is complete under a temporary name, before the first file gets its name.
    private func prepared(_ text: [UInt8]) throws(GranaryError) -> ByteOutput {
        let output = try ByteOutput.file(sidecarPath, replacing: replacing, permissions: permissions)
        output.buffer.append(contentsOf: text)
        try output.prepare()
        return output
    }

    /// The files under their temporary names, which are removed unless they are finished.
    ///
    /// No rename covers several files, so a process that is killed between two renames leaves old and new files side by
    /// side. While that is possible, the sidecar is a marker with which an import is refused:
    ///
    /// 1. the marker replaces the sidecar
    /// 2. the folder of values gets its name
    /// 3. the exported file gets its name
    /// 4. the new sidecar replaces the marker
    ///
    /// If a step fails, the old files come back. They are removed after the last step.
    struct Output {
        fileprivate let sidecar: ByteOutput
        fileprivate let folder: FolderOutput?
        /// Receives the values; nil if they are in the table.
        let values: ValueFolder?
        /// The sidecar between the first and the last rename. It is the last member, so that the old sidecar comes back
        /// after the other files.
        fileprivate let marker: ByteOutput

        /// Renames the marker and the folder of values, before the exported file gets its name.
        ///
        /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
        func beginRenames() throws(GranaryError) {
            try marker.place()
            // Without values there is no folder, unless one with old values must go.
            guard let folder, let values, values.count > 0 || FileKind(folder.path) == .folder else { return }
            try folder.place()
        }

        /// Renames the sidecar, after the exported file got its name, and removes the old files.
        ///
        /// - Throws: ``GranaryError`` with code `inputOutput`.
        func finish() throws(GranaryError) {
            // The marker has the name.
            sidecar.replaces = true
            try sidecar.publish()
            try marker.publish()
            folder?.publish()
        }
    }
}
