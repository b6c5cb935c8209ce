/// A growing byte buffer without the checks that an array makes for each byte.
///
/// It is not GranaryBase's `ByteBuffer`, because the loader appends single bytes and short numbers. These calls are
/// inlined only inside their module; a call of another module takes about 2 ns, which is longer than the work.
struct Bytes: ~Copyable {
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(capacity: Int) { buffer = .allocate(capacity: max(16, capacity)) }

    deinit { buffer.deallocate() }

    var all: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[..<count]) }

    /// Removes all bytes. A buffer of more than 2 MiB is replaced by a small one.
    mutating func removeAll() {
        count = 0
        guard buffer.count > Self.keptCapacity else { return }
        buffer.deallocate()
        buffer = .allocate(capacity: 1 << 12)
    }

    private static let keptCapacity = 1 << 21

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if buffer.count &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(buffer.count * 2, count + more))
        _ = larger.update(fromContentsOf: all)
        buffer.deallocate()
        buffer = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(bytes.count)
        guard let from = bytes.baseAddress, let to = buffer.baseAddress else { return }
        (to + count).update(from: from, count: bytes.count)
        count &+= bytes.count
    }

    /// Appends the lowest `bytes` bytes of a number in big-endian order.
    @inline(__always)
    mutating func appendBigEndian(_ value: UInt64, bytes: Int) {
        reserve(8)
        let aligned = (value << UInt64(64 - 8 * bytes)).bigEndian
        UnsafeMutableRawBufferPointer(buffer).storeBytes(of: aligned, toByteOffset: count, as: UInt64.self)
        count &+= bytes
    }

    /// Appends a varint: https://www.sqlite.org/fileformat2.html#varint.
    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
        reserve(9)
        count &+= Bytes.putVarint(value, at: count, in: buffer)
    }

    /// Writes a varint and returns its length.
    static func putVarint(_ value: UInt64, at place: Int, in buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        if value < 0x80 {
            buffer[place] = UInt8(truncatingIfNeeded: value)
            return 1
        }
        let length = varintLength(value)
        var rest = value
        var index = length &- 1
        if length == 9 {
            buffer[place &+ 8] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            index = 7
        }
        var isLast = length != 9
        while index >= 0 {
            buffer[place &+ index] = UInt8(truncatingIfNeeded: rest & 0x7F) | (isLast ? 0 : 0x80)
            isLast = false
            rest >>= 7
            index &-= 1
        }
        return length
    }

    static func varintLength(_ value: UInt64) -> Int {
        if value < 0x80 { return 1 }
        if value >= 1 << 56 { return 9 }
        return (70 &- value.leadingZeroBitCount) / 7
    }
}
