import Foundation
import GranaryBase
import GranaryCoordination

/// Values of attributes that may lie outside the store (sqlite-layout §8): a tag byte, then the bytes themselves (1), or
/// the name of a file beside the store (2).
///
/// Either form is read at any size.
package enum ExternalData {
    /// A value of more bytes is written to a file of its own.
    ///
    /// Core Data's own number is not known: the longest value that lies inline in a real store has 99,813 bytes.
    package static let inlineLimit = 102_400
    package static let inlineTag: UInt8 = 1
    private static let fileTag: UInt8 = 2

    /// The value behind a stored blob.
    ///
    /// - Throws: ``GranaryError``: `refused` when the tag is unknown, the name is no UUID, or the file no regular file or
    ///   too large; `unreadable` when it is missing.
    static func value(
        of stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> ArraySlice<UInt8> {
        switch stored.first {
        case inlineTag?: return ArraySlice(stored.dropFirst())
        case fileTag?: return try contents(namedBy: stored, storePath: storePath)[...]
        default:
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(storePath): a value with external storage has no tag byte"))
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
                    .limitExceeded, "\(file) has more than \(RowBatch.fileLimit) bytes, the limit of external data"))
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
        // A link could lead anywhere, and a pipe would be waited for.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw GranaryError(Diagnostic(.storeCorrupt, "\(file): external data must be in a regular file"))
        }
        return (file, (attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }

    /// The name of the file that a stored blob leads to; nil where it leads to none, or the name is no UUID: it becomes
    /// part of a path.
    package static func fileName(in stored: UnsafeBufferPointer<UInt8>) -> String? {
        guard stored.first == fileTag else { return nil }
        let bytes = stored.dropFirst().prefix { $0 != 0 }
        guard let name = String(validating: bytes, as: UTF8.self), isFileName(name) else { return nil }
        return name
    }

    /// Whether a stored blob is to lead to a file, whatever its name.
    package static func isReference(_ stored: UnsafeBufferPointer<UInt8>) -> Bool { stored.first == fileTag }

    package static func isFileName(_ name: String) -> Bool { name.utf8.count == 36 && UUID(uuidString: name) != nil }

    /// The blob that leads to a file.
    static func blob(naming name: String) -> [UInt8] {
        var blob = [fileTag]
        blob.append(contentsOf: name.utf8)
        blob.append(0)
        return blob
    }

    /// Whether a stored blob leads to a file, in SQL.
    static func leadsToFile(_ column: String) -> String { "substr(\(column), 1, 1) = x'02'" }

    /// `_EXTERNAL_DATA` in the store's support folder.
    package static func folder(ofStore path: String) -> String {
        SQLiteStore.supportFolder(ofStore: path) + "/_EXTERNAL_DATA"
    }

    package static func file(_ name: String, ofStore path: String) -> String { folder(ofStore: path) + "/" + name }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension ExternalData {
    /// Whether a file has just these bytes. One that cannot be read has not.
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
                // It may have changed its size since.
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

    /// Whether a stored blob that leads to a file has these bytes in it. What lies inline SQL has compared.
    static func matches(
        _ stored: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, storePath: String
    ) -> Bool {
        guard let name = fileName(in: stored) else { return stored.first == inlineTag }
        return isFile(name, ofStore: storePath, equalTo: value)
    }
}
