import Foundation

/// The sorted parts (runs) of an index in an unlinked temporary file.
final class SortedRuns {
    private let descriptor: Int32
    private let path: String
    /// The offset of each run.
    private var starts: [Int] = []
    private var size = 0
    private var waiting = Bytes(capacity: blockBytes)

    /// The number of bytes written at a time, and read at a time from each run.
    private static let blockBytes = 1 << 16

    init(folder: String) throws(LoadError) {
        path = folder
        var template = Array((folder + "/.granary-index-XXXXXX").utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else { throw LoadError(path: folder, errno: errno) }
        self.descriptor = descriptor
        _ = template.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
    }

    deinit { close(descriptor) }

    func beginRun() throws(LoadError) {
        try writeOut()
        starts.append(size)
    }

    func append(_ record: UnsafeBufferPointer<UInt8>) throws(LoadError) {
        waiting.appendVarint(UInt64(record.count))
        waiting.append(record)
        if waiting.count >= Self.blockBytes { try writeOut() }
    }

    private func writeOut() throws(LoadError) {
        var done = 0
        let bytes = waiting.all
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(size + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw LoadError(path: path, errno: count < 0 ? errno : ENOSPC) }
            done += count
        }
        size += done
        waiting.removeAll()
    }

    /// The read position in a run.
    private struct Cursor {
        let run: Int
        var buffer: [UInt8] = []
        /// The offset of the record in the buffer, and its size.
        var start = 0
        var count = 0
        /// The offset in the file of the next bytes to read.
        var offset: Int
        let end: Int
        var isAtEnd = false
        /// The length of the common prefix of the first values of all records.
        let skipped: Int
        /// The sort key of the record (``IndexRecord/prefix(_:skipped:)``).
        var prefix: UInt64 = 0
        var isExact = false

        /// Moves to the next record.
        mutating func advance(_ read: (inout [UInt8], Int, Int) throws(LoadError) -> Void) throws(LoadError) {
            start += count
            // The longest varint has nine bytes.
            if buffer.count - start < 9 { try fill(9, read) }
            guard start < buffer.count else {
                isAtEnd = true
                return
            }
            var place = start
            count = buffer.withUnsafeBufferPointer { Int(truncatingIfNeeded: IndexRecord.varint($0, &place)) }
            start = place
            if buffer.count - start < count { try fill(count, read) }
            (prefix, isExact) = buffer.withUnsafeBufferPointer {
                IndexRecord.prefix(UnsafeBufferPointer(rebasing: $0[start..<start + count]), skipped: skipped)
            }
        }

        private mutating func fill(
            _ wanted: Int, _ read: (inout [UInt8], Int, Int) throws(LoadError) -> Void
        ) throws(LoadError) {
            buffer.removeSubrange(..<start)
            start = 0
            let more = min(max(SortedRuns.blockBytes, wanted), end - offset)
            guard more > 0 else { return }
            try read(&buffer, offset, more)
            offset += more
        }
    }

    /// Calls `body` for each record of all runs in order, as ``IndexSorter/forEach(_:)``.
    func merge(
        _ descending: [Bool], skipped: Int, _ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void
    ) throws(LoadError) {
        try writeOut()
        var cursors: [Cursor] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : size
            var cursor = Cursor(run: index, offset: start, end: end, skipped: skipped)
            try cursor.advance(read)
            if !cursor.isAtEnd { cursors.append(cursor) }
        }
        // A heap of indices of the cursors, with the least record first.
        var heap = Array(cursors.indices)
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) {
            Self.sink(place, &heap, cursors, descending)
        }
        var last: UInt64?
        while let least = heap.first {
            let first = cursors[least].start..<cursors[least].start + cursors[least].count
            let mayRepeat = cursors[least].prefix == last
            try cursors[least].buffer.withUnsafeBufferPointer { bytes throws(LoadError) in
                try body(UnsafeBufferPointer(rebasing: bytes[first]), mayRepeat)
            }
            last = cursors[least].prefix
            try cursors[least].advance(read)
            if cursors[least].isAtEnd {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            Self.sink(0, &heap, cursors, descending)
        }
    }

    /// Restores the heap order after a change of one cursor.
    private static func sink(_ place: Int, _ heap: inout [Int], _ cursors: borrowing [Cursor], _ descending: [Bool]) {
        var place = place
        while true {
            var least = place
            var child = 2 * place + 1
            while child < min(2 * place + 3, heap.count) {
                // Most records differ in their prefixes; a copy of a cursor would retain its buffer.
                let (one, other) = (cursors[heap[child]].prefix, cursors[heap[least]].prefix)
                let comesFirst =
                    one == other
                    ? isBefore(cursors[heap[child]], cursors[heap[least]], descending)
                    : (one < other) != (descending.first ?? false)
                if comesFirst { least = child }
                child += 1
            }
            guard least != place else { return }
            heap.swapAt(place, least)
            place = least
        }
    }

    /// Whether a record comes before another one with the same prefix.
    private static func isBefore(_ left: Cursor, _ right: Cursor, _ descending: [Bool]) -> Bool {
        // Rows are added in the order of their rowids, so among equal values those of an earlier run are first.
        if descending.count == 1, left.isExact, right.isExact { return left.run < right.run }
        return left.buffer.withUnsafeBufferPointer { first in
            right.buffer.withUnsafeBufferPointer { second in
                IndexRecord.compare(
                    UnsafeBufferPointer(rebasing: first[left.start..<left.start + left.count]),
                    UnsafeBufferPointer(rebasing: second[right.start..<right.start + right.count]), descending) < 0
            }
        }
    }

    private func read(_ buffer: inout [UInt8], _ offset: Int, _ count: Int) throws(LoadError) {
        let old = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: count))
        var done = 0
        while done < count {
            let part = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + old + done }, count - done, off_t(offset + done))
            }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { throw LoadError(path: path, errno: part < 0 ? errno : EIO) }
            done += part
        }
    }
}
