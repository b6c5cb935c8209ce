import GranaryBase

/// A copy of a chunk, so that another thread can use it while the reader continues. Its memory is reused.
package struct CSVChunkCopy {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private var chunk: CSVChunk?

    package init() {}

    package mutating func copy(_ chunk: CSVChunk) {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: chunk.bytes)
        ends.append(contentsOf: chunk.ends)
        self.chunk = chunk
    }

    /// Nil before the first ``copy(_:)``.
    package func withChunk<Result>(_ body: (CSVChunk) throws -> Result) rethrows -> Result? {
        guard var chunk else { return nil }
        return try bytes.withUnsafeBufferPointer { bytes in
            try ends.withUnsafeBufferPointer { ends in
                (chunk.bytes, chunk.ends) = (bytes, ends)
                return try body(chunk)
            }
        }
    }
}
