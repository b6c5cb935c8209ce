internal import Crypto

/// A running SHA-256 over bytes: what a file or a store holds, as 64 hexadecimal digits.
package struct ContentDigest {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// The 32 bytes of what was given so far; more may follow.
    package var bytes: [UInt8] { Array(hash.finalize()) }

    /// ``bytes`` as lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
