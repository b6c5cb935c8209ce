package import GranaryBase
import GranaryModel

/// HMAC-SHA-256 (RFC 2104) of texts, with the SHA-256 of the system's library.
package struct KeyedHash: Sendable {
    /// The key with the inner and the outer padding.
    private let inner: [UInt8]
    private let outer: [UInt8]

    /// The largest file with a key, in bytes.
    private static let keyLimit = 4096
    /// The number of hexadecimal digits of a replaced text: 128 bits.
    static let digits = 32

    /// - Throws: ``GranaryError`` with code `usage` for a key of fewer than 16 bytes, which could be guessed.
    package init(key: [UInt8]) throws(GranaryError) {
        guard key.count >= 16 else {
            throw GranaryError(.usage, "the key has \(CountText.count(key.count, "byte")); it must have at least 16")
        }
        var block = key
        if block.count > 64 {
            var digest = ContentDigest()
            digest.update(block)
            block = digest.bytes
        }
        block += Array(repeating: 0, count: 64 - block.count)
        inner = block.map { $0 ^ 0x36 }
        outer = block.map { $0 ^ 0x5c }
    }

    /// Reads the key from a file, such as `/dev/fd/3`, so that no list of processes shows it. A line end at the end does
    /// not count.
    ///
    /// - Throws: ``GranaryError``: `unreadable`; `usage` for a key that is too short.
    package init(path: String) throws(GranaryError) {
        var key = try ByteSource(path: path).readAll(limit: Self.keyLimit)
        while let last = key.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { key.removeLast() }
        try self.init(key: key)
    }

    /// The 32 bytes of the HMAC.
    package func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
        var digest = ContentDigest()
        digest.update(inner)
        digest.update(text)
        var result = ContentDigest()
        result.update(outer)
        result.update(digest.bytes)
        return result.bytes
    }

    /// A number for replacements: with the same key, the same value has the same replacement in every store.
    var seed: UInt64 {
        Array("granary replacements".utf8).withUnsafeBytes { bytes(of: $0) }.prefix(8)
            .reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The first digits of the HMAC in hexadecimal form.
    func text(of text: UnsafeRawBufferPointer) -> String {
        var result: [UInt8] = []
        bytes(of: text).prefix(Self.digits / 2).withUnsafeBufferPointer { HexText.encode($0, into: &result) }
        return String(decoding: result, as: UTF8.self).lowercased()
    }
}
