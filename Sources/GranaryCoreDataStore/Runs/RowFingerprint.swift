import GranaryCoordination
import GranarySQLite

/// A 128-bit hash of the storage classes, lengths and bytes of a row's values, for detecting changes. It is several
/// times as fast as a SHA-256 digest (``RowImage``), but it does not resist a deliberate search for collisions.
struct RowFingerprint {
    /// The number of bytes of a fingerprint.
    static let length = 16

    private var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var high: UInt64 = 0xD1B5_4A32_D192_ED03

    /// The fingerprint of the columns of the current row.
    init(_ row: Statement, _ columns: Range<Int>) throws {
        for column in columns {
            switch row.type(at: column) {
            case .null: add(0)
            case .integer:
                add(1)
                add(UInt64(bitPattern: row.integer(at: column)))
            case .real:
                add(2)
                add(row.double(at: column).bitPattern)
            case .text: add(3, UnsafeRawBufferPointer(try row.text(at: column)))
            case .blob: add(4, UnsafeRawBufferPointer(try row.blob(at: column)))
            }
        }
    }

    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { bytes.append(contentsOf: $0) }
    }

    /// Adds a word. The result depends on the order of words, because the whole state is multiplied.
    private mutating func add(_ word: UInt64) {
        let product = (low ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        low = product.low ^ product.high &+ high
        high = (high ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB).high ^ product.low
    }

    private mutating func add(_ tag: UInt64, _ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count) << 3 | tag)
        var offset = 0
        while bytes.count &- offset >= 8 {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
        add(rest)
    }
}
