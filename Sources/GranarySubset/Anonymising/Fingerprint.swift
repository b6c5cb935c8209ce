import Foundation
import GranaryBase
import GranaryGeneration

/// A hash of 64 bits of a value's type and bytes.
enum Fingerprint {
    static func of(_ value: BorrowedValue) -> UInt64 {
        switch value {
        case .null: return 0
        case .boolean(let value): return of(bits: value ? 1 : 0, kind: 1)
        case .integer(let value): return of(bits: UInt64(bitPattern: value), kind: 2)
        case .float(let value): return of(bits: UInt64(value.bitPattern), kind: 3)
        case .double(let value): return of(bits: value.bitPattern, kind: 4)
        case .date(let value): return of(bits: value.bitPattern, kind: 5)
        case .decimal(let number): return of(text: "\(number)", kind: 6)
        case .uuid(let value): return of(text: value.uuidString, kind: 7)
        case .text(let bytes), .uri(let bytes): return of(bytes, kind: 8)
        case .binary(let bytes): return of(bytes, kind: 9)
        }
    }

    private static func of(bits: UInt64, kind: UInt64) -> UInt64 {
        RandomStream.mixed(RandomStream.mixed(bits &+ kind) &+ kind)
    }

    private static func of(text: String, kind: UInt64) -> UInt64 {
        Array(text.utf8).withUnsafeBufferPointer { of($0, kind: kind) }
    }

    private static func of(_ bytes: UnsafeBufferPointer<UInt8>, kind: UInt64) -> UInt64 {
        // FNV-1a with a final mix.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ kind
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return RandomStream.mixed(hash)
    }
}
