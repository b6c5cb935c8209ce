import GranaryBase
import GranaryRecords

/// The bytes of records of several sources in an unlinked temporary file. Sources are added one after the other, and
/// their records are read again in order.
///
/// `@unchecked Sendable` is safe: one thread adds records, and another one reads them only after it has ended.
final class RecordSpool: @unchecked Sendable {
    private let file = ByteSpool(keepsFiles: false)
    private let name: String
    /// The range of each source's records in the file.
    private var ranges: [Int32: Range<Int>] = [:]
    /// The records that are not written yet: the number, the length and the bytes of each.
    private var buffer: [UInt8] = []
    private var end = 0
    /// The error of writing, which ``reader(of:)`` throws.
    private var failure: GranaryError?

    private static let headerBytes = MemoryLayout<(Int, Int)>.size
    private static let capacity = 1 << 18

    init(_ name: String) { self.name = name }

    /// Adds a record. An error while writing is thrown later, by ``reader(of:)``.
    func add(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>, of source: Int32) {
        guard failure == nil else { return }
        let start = ranges[source]?.lowerBound ?? end
        withUnsafeBytes(of: (number, bytes.count)) { buffer.append(contentsOf: $0) }
        buffer.append(contentsOf: bytes)
        end += Self.headerBytes + bytes.count
        ranges[source] = start..<end
        if buffer.count >= Self.capacity { flush() }
    }

    private func flush() {
        guard !buffer.isEmpty, failure == nil else { return }
        do throws(GranaryError) { _ = try file.append(buffer, of: name) } catch { failure = error }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Returns a reader of the records of a source.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` or `uncreatable` if the file could not be written.
    func reader(of source: Int32) throws(GranaryError) -> Reader {
        flush()
        if let failure { throw failure }
        let range = ranges[source] ?? 0..<0
        return Reader(file: file, name: name, place: range.lowerBound, end: range.upperBound)
    }

    struct Reader {
        fileprivate let file: ByteSpool
        fileprivate let name: String
        fileprivate var place: Int
        fileprivate let end: Int
        /// A part of the file, and the index of the next record in it.
        fileprivate var bytes: [UInt8] = []
        fileprivate var next = 0

        /// Reads the next record; nil at the end.
        ///
        /// - Throws: ``GranaryError`` with code `inputOutput`.
        mutating func read() throws(GranaryError) -> (number: Int, bytes: ArraySlice<UInt8>)? {
            guard place < end || next < bytes.count else { return nil }
            try load(RecordSpool.headerBytes)
            let (number, count) = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: next, as: (Int, Int).self)
            }
            next += RecordSpool.headerBytes
            try load(count)
            next += count
            return (number, bytes[next - count..<next])
        }

        private mutating func load(_ count: Int) throws(GranaryError) {
            let old = bytes.count - next
            guard old < count else { return }
            let more = min(end - place, max(RecordSpool.capacity, count - old))
            bytes = try bytes[next...] + file.read(more, at: &place, of: name)
            next = 0
        }
    }
}

extension ByteSpool {
    /// Appends the bytes of an array and returns their offset.
    func append<Element: BitwiseCopyable>(_ elements: [Element], of name: String) throws(GranaryError) -> Int {
        try elements.withUnsafeBufferPointer { elements throws(GranaryError) in
            try append(UnsafeRawBufferPointer(elements), of: name)
        }
    }

    /// Reads the array at an offset, and moves the offset to its end.
    func read<Element: BitwiseCopyable>(
        _ count: Int, at place: inout Int, of name: String
    ) throws(GranaryError) -> [Element] {
        var result: Result<Void, GranaryError> = .success(())
        let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(GranaryError) {
                try readAll(at: place, into: UnsafeMutableRawBufferPointer(buffer), of: name)
                initialized = count
            } catch {
                result = .failure(error)
            }
        }
        try result.get()
        place += count * MemoryLayout<Element>.stride
        return elements
    }
}
