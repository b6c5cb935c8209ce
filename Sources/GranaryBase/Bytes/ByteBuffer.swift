/// A growing buffer of bytes that is written through a pointer.
///
/// An array checks its uniqueness and its capacity for each appended byte. Here ``reserve(_:)`` checks the capacity
/// once for a value of many bytes.
package struct ByteBuffer: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var filled = 0
    private(set) var capacity: Int

    package init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// The number of bytes.
    package var count: Int { filled }

    /// The bytes; valid until the next change.
    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: filled) }

    /// Makes room for more bytes.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if capacity &- filled < additional { grow(additional) }
    }

    @inline(never)
    private mutating func grow(_ additional: Int) {
        // At least twice the size, so that a growing value is copied a limited number of times.
        let larger = max(filled + additional, capacity * 2)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: start, count: filled)
        start.deallocate()
        (start, capacity) = (moved, larger)
    }

    package mutating func append(_ byte: UInt8) {
        reserve(1)
        start[filled] = byte
        filled &+= 1
    }

    package mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + filled).update(from: source, count: bytes.count)
        filled &+= bytes.count
    }

    package mutating func append(contentsOf bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends the bytes that `write` writes at a pointer; it returns their number, which is at most `limit`.
    @inline(__always)
    mutating func append(atMost limit: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(limit)
        filled &+= write(start + filled)
    }

    /// Removes all bytes. The memory is kept for the next ones, except that of a very large value.
    package mutating func removeAll() {
        filled = 0
        if capacity > Self.keptCapacity { shrink() }
    }

    /// The largest capacity that ``removeAll()`` keeps.
    static let keptCapacity = 8 << 20

    @inline(never)
    private mutating func shrink() {
        start.deallocate()
        capacity = 256
        start = .allocate(capacity: capacity)
    }

    /// Removes the bytes from an index on.
    package mutating func truncate(to count: Int) { filled = min(filled, max(0, count)) }
}

extension [UInt8] {
    /// Appends the bytes that `write` writes at a pointer; it returns their number, which is at most `limit`.
    @inline(__always)
    mutating func append(atMost limit: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limit) { room in
            guard let start = room.baseAddress else { return }
            append(contentsOf: UnsafeBufferPointer(start: start, count: write(start)))
        }
    }
}
