import Foundation
import GranaryBase

/// A folder that receives binary values of an export, one file for each value: `ENTITY.PROPERTY/p57`.
///
/// It is created with its first file. The caller removes it if the export fails.
package final class ValueFolder {
    /// The value that a file contains.
    package struct Name {
        let entity: String
        let property: String
        let key: Int64

        package init(entity: String, property: String, key: Int64) {
            self.entity = entity
            self.property = property
            self.key = key
        }
    }

    /// The folder that the files are written to.
    private let folder: String
    /// The name of the folder in the paths that the table contains.
    private let name: String
    private let permissions: UInt32
    /// The folders that exist: the folder itself as "", and one for each column.
    private var existing: Set<String>
    /// The number of files.
    package private(set) var count = 0

    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - name: the name of the folder in the paths that the table contains.
    ///   - permissions: the mode of the files; the process's umask is applied.
    ///   - exists: whether the folder exists already.
    package init(folder: String, name: String, permissions: UInt32 = 0o666, exists: Bool = false) {
        self.folder = folder
        self.name = name
        self.permissions = permissions
        existing = exists ? [""] : []
    }

    /// Writes a value to a file.
    ///
    /// - Returns: the path of the file for the table.
    /// - Throws: ``GranaryError``: `uncreatable` if a name of the model cannot be a file name; `inputOutput`.
    func save(_ bytes: UnsafeBufferPointer<UInt8>, as name: Name) throws(GranaryError) -> String {
        let (descriptor, path) = try create(name)
        let isWritten = Self.put(UnsafeRawBufferPointer(bytes), into: descriptor)
        try finish(descriptor, path, isWritten: isWritten)
        return path
    }

    /// Copies a source to a file, with constant memory.
    ///
    /// - Returns: the path of the file for the table.
    /// - Throws: as ``save(_:as:)``, and as reading the source throws.
    func copy(_ source: ByteSource, as name: Name) throws(GranaryError) -> String {
        let (descriptor, path) = try create(name)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var isWritten = true
        while isWritten {
            let count: Int
            do throws(GranaryError) { count = try source.read(into: &chunk) } catch {
                close(descriptor)
                throw error
            }
            if count == 0 { break }
            isWritten = chunk.withUnsafeBytes {
                Self.put(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: descriptor)
            }
        }
        try finish(descriptor, path, isWritten: isWritten)
        return path
    }

    /// Creates an empty file. It needs no temporary name, because the folder has one until the export is complete.
    private func create(_ value: Name) throws(GranaryError) -> (descriptor: Int32, path: String) {
        let column = "\(value.entity).\(value.property)"
        guard !column.hasPrefix("."), !column.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw GranaryError(.uncreatable, "\(folder): no folder can be named after \(column)")
        }
        try makeFolder("")
        try makeFolder(column)
        let file = "\(column)/p\(value.key)"
        let descriptor = open(
            "\(folder)/\(file)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(truncatingIfNeeded: permissions))
        guard descriptor >= 0 else {
            throw GranaryError(.uncreatable, "\(folder)/\(file): cannot be created: \(errnoText())")
        }
        count += 1
        return (descriptor, "\(name)/\(file)")
    }

    private func finish(_ descriptor: Int32, _ path: String, isWritten: Bool) throws(GranaryError) {
        let isSynced = isWritten && fsync(descriptor) == 0
        let reason = errnoText()
        guard close(descriptor) == 0, isSynced else {
            throw GranaryError(.inputOutput, "\(path): cannot be written: \(isSynced ? errnoText() : reason)")
        }
    }

    private static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    private func makeFolder(_ part: String) throws(GranaryError) {
        guard !existing.contains(part) else { return }
        let path = part.isEmpty ? folder : "\(folder)/\(part)"
        // Users who may read the files may search the folder.
        guard mkdir(path, mode_t(truncatingIfNeeded: permissions | 0o300 | (permissions & 0o444) >> 2)) == 0 else {
            throw GranaryError(.uncreatable, "\(path): cannot be created: \(errnoText())")
        }
        existing.insert(part)
    }

    /// Why a folder must not be replaced by one with the values of an export: it contains something else. Nil if it
    /// does not exist or contains only such values.
    package static func refusal(toReplace path: String) -> String? {
        switch FileKind(path) {
        case .missing: return nil
        case .file, .special: return "it is not a folder"
        case .folder: break
        }
        guard let columns = FolderNames(path) else { return "it cannot be read: \(errnoText())" }
        for column in columns.names {
            let inner = "\(path)/\(column)"
            guard FileKind(inner) == .folder, let files = FolderNames(inner) else {
                return "it contains \(column), which is not a folder of values"
            }
            if let other = files.names.first(where: { !isValueName($0) }) ?? files.undecodable {
                return "it contains \(column)/\(other), which is not a value"
            }
        }
        return columns.undecodable.map { "it contains \($0)" }
    }

    /// Whether a name is that of a value: `p57`.
    private static func isValueName(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "p") && name.utf8.count > 1
            && name.utf8.dropFirst().allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    }
}
