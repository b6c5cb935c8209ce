import Foundation
import GranaryBase
import GranaryCoordination

/// Encodes and decodes values of attributes with external storage (docs/core-data/sqlite-layout.md#external-storage): a
/// tag byte, then the value itself (tag 1) or the name of a file in the store's support folder (tag 2).
///
/// Both forms are read at any size.
package enum ExternalData {
    /// The largest value, in bytes, that is stored inline. Larger values are written to files.
    ///
    /// Core Data's limit is not known: the longest inline value in a real store has 99,813 bytes.
    package static let inlineLimit = 102_400
    package static let inlineTag: UInt8 = 1
    private static let fileTag: UInt8 = 2

    /// Returns the value that a stored blob contains or refers to.
    ///
    /// - Throws: ``GranaryError``: `refused` if the tag is unknown, the name is not a UUID, or the file is not a
    ///   regular file or is too large; `unreadable` if it is missing.
    static func value(
        of stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> ArraySlice<UInt8> {
        switch stored.first {
        case inlineTag?: return ArraySlice(stored.dropFirst())
        case fileTag?: return try contents(namedBy: stored, storePath: storePath)[...]
        default:
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(storePath): a value with external storage has no valid tag byte"))
        }
    }

    /// Larger files are read in chunks where the writer supports it.
    private static let streamedSize = 1 << 20

    /// The path of the external file of a stored blob, if the file is larger than ``streamedSize``; otherwise nil.
    ///
    /// - Throws: as ``value(of:storePath:)``.
    static func largeFile(
        of stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> String? {
        guard stored.first == fileTag else { return nil }
        let (file, size) = try checkedFile(namedBy: stored, storePath: storePath)
        guard size > streamedSize else { return nil }
        guard size <= RowBatch.fileLimit else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "\(file) has more than \(RowBatch.fileLimit) bytes, the limit for external data"))
        }
        return file
    }

    private static func contents(
        namedBy stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> [UInt8] {
        try ByteSource(path: try checkedFile(namedBy: stored, storePath: storePath).path).readAll(
            limit: RowBatch.fileLimit)
    }

    /// The external file of a stored blob and its size; the size is 0 if the file cannot be examined.
    private static func checkedFile(
        namedBy stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> (path: String, size: Int) {
        guard let name = fileName(in: stored) else {
            let found = String(decoding: stored.dropFirst().prefix { $0 != 0 }.prefix(100), as: UTF8.self)
            throw GranaryError(
                Diagnostic(
                    .storeCorrupt, "\(storePath): the name of a file with external data is not a UUID",
                    value: Diagnostic.shortened(found)))
        }
        let file = file(name, ofStore: storePath)
        // A link could point to any file, and reading a pipe would block.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw GranaryError(Diagnostic(.storeCorrupt, "\(file): external data must be in a regular file"))
        }
        return (file, (attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }

    /// The name of the file that a stored blob refers to; nil if it refers to none, or if the name is not a UUID. The
    /// name becomes part of a path, so other names are not accepted.
    package static func fileName(in stored: UnsafeBufferPointer<UInt8>) -> String? {
        guard stored.first == fileTag else { return nil }
        let bytes = stored.dropFirst().prefix { $0 != 0 }
        guard let name = String(validating: bytes, as: UTF8.self), isFileName(name) else { return nil }
        return name
    }

    /// Whether a stored blob refers to a file, even if the file's name is not valid.
    package static func isReference(_ stored: UnsafeBufferPointer<UInt8>) -> Bool { stored.first == fileTag }

    package static func isFileName(_ name: String) -> Bool { name.utf8.count == 36 && UUID(uuidString: name) != nil }

    /// The blob that refers to a file.
    static func blob(naming name: String) -> [UInt8] {
        var blob = [fileTag]
        blob.append(contentsOf: name.utf8)
        blob.append(0)
        return blob
    }

    /// The SQL condition that a stored blob refers to a file.
    static func leadsToFile(_ column: String) -> String { "substr(\(column), 1, 1) = x'02'" }

    /// The path of `_EXTERNAL_DATA` in the store's support folder.
    package static func folder(ofStore path: String) -> String {
        SQLiteStore.supportFolder(ofStore: path) + "/_EXTERNAL_DATA"
    }

    package static func file(_ name: String, ofStore path: String) -> String { folder(ofStore: path) + "/" + name }
}

extension ExternalData {
    /// Whether a file has exactly these bytes. False if it cannot be read.
    static func isFile(_ name: String, ofStore path: String, equalTo value: UnsafeBufferPointer<UInt8>) -> Bool {
        let file = file(name, ofStore: path)
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int64(status.st_size) == Int64(value.count), let source = try? ByteSource(path: file)
        else { return false }
        let bytes = UnsafeRawBufferPointer(value)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while offset < bytes.count {
            let start = offset
            let count = chunk.withUnsafeMutableBytes { buffer -> Int in
                // The size may have changed since the call of `lstat`.
                guard let length = try? source.read(into: buffer), length > 0, length <= bytes.count - start,
                    let found = buffer.baseAddress, let wanted = bytes.baseAddress,
                    memcmp(found, wanted.advanced(by: start), length) == 0
                else { return 0 }
                return length
            }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// Whether a stored blob has these bytes. SQL compares inline values; this compares the file of other values.
    static func matches(
        _ stored: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, storePath: String
    ) -> Bool {
        guard let name = fileName(in: stored) else { return stored.first == inlineTag }
        return isFile(name, ofStore: storePath, equalTo: value)
    }
}
