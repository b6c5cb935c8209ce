import Foundation

#if canImport(CryptoKit)
    internal import CryptoKit
#else
    internal import GranaryCLibCrypto
#endif

/// An incremental SHA-256 of the content of a file, a row or a store.
package struct ContentDigest {
    #if canImport(CryptoKit)
        private var hash = SHA256()
    #else
        private var state = SHA256_CTX()
    #endif

    package init() {
        #if !canImport(CryptoKit)
            SHA256_Init(&state)
        #endif
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            hash.update(bufferPointer: bytes)
        #else
            SHA256_Update(&state, bytes.baseAddress, bytes.count)
        #endif
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The 32 bytes of the hash of all bytes so far; more bytes can follow.
    package var bytes: [UInt8] {
        #if canImport(CryptoKit)
            Array(hash.finalize())
        #else
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
                var ended = state
                SHA256_Final(buffer.baseAddress, &ended)
                count = 32
            }
        #endif
    }

    /// ``bytes`` as lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The 32 bytes of the SHA-256 of `data`.
func sha256(_ data: Data) -> Data {
    var digest = ContentDigest()
    data.withUnsafeBytes { digest.update($0) }
    return Data(digest.bytes)
}

/// The 64 bytes of the SHA-512 of `data`.
func sha512(_ data: Data) -> Data {
    #if canImport(CryptoKit)
        Data(SHA512.hash(data: data))
    #else
        // The function SHA512 needs all of libcrypto in the static binary; these are four of its object files.
        Data(
            [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
                var state = SHA512_CTX()
                SHA512_Init(&state)
                data.withUnsafeBytes { _ = SHA512_Update(&state, $0.baseAddress, $0.count) }
                SHA512_Final(buffer.baseAddress, &state)
                count = 64
            })
    #endif
}
