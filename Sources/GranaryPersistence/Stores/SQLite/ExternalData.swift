import Foundation
import GranaryBase

/// Values of attributes that may lie outside the store (sqlite-layout §8): a tag byte, then the bytes themselves (1), or
/// the name of a file beside the store (2).
///
/// Granary writes every value inline, which the format allows at any size.
enum ExternalData {
    static let inlineTag: UInt8 = 1
    private static let fileTag: UInt8 = 2
    /// SQLite's own limit for a blob, in bytes.
    private static let fileLimit = 1_000_000_000

    /// The value behind a stored blob.
    ///
    /// - Throws: ``GranaryError``: `refused` when the tag is unknown, the name is no UUID, or the file no regular file or
    ///   too large; `unreadable` when it is missing.
    static func value(
        of stored: UnsafeBufferPointer<UInt8>, storePath: String
    ) throws(GranaryError) -> ArraySlice<UInt8> {
        switch stored.first {
        case inlineTag?: return ArraySlice(stored.dropFirst())
        case fileTag?: return try contents(named: stored.dropFirst().prefix { $0 != 0 }, storePath: storePath)[...]
        default:
            throw GranaryError(
                Diagnostic(.storeCorrupt, "\(storePath): a value with external storage has no tag byte"))
        }
    }

    private static func contents(
        named bytes: Slice<UnsafeBufferPointer<UInt8>>, storePath: String
    ) throws(GranaryError) -> [UInt8] {
        // Only a UUID: the name becomes part of a path.
        guard bytes.count == 36, let name = String(validating: bytes, as: UTF8.self), UUID(uuidString: name) != nil
        else {
            let found = String(decoding: bytes.prefix(100), as: UTF8.self)
            throw GranaryError(
                Diagnostic(
                    .storeCorrupt, "\(storePath): the name of a file with external data is not a UUID",
                    value: Diagnostic.shortened(found)))
        }
        let file = folder(ofStore: storePath) + "/" + name
        // A link could lead anywhere, and a pipe would be waited for.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw GranaryError(Diagnostic(.storeCorrupt, "\(file): external data must be in a regular file"))
        }
        return try ByteSource(path: file).readAll(limit: fileLimit)
    }

    /// `.<store name without extension>_SUPPORT/_EXTERNAL_DATA` beside the store.
    static func folder(ofStore path: String) -> String {
        let url = URL(filePath: path)
        let name = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
        return url.deletingLastPathComponent().appending(path: name).appending(path: "_EXTERNAL_DATA")
            .path(percentEncoded: false)
    }
}
