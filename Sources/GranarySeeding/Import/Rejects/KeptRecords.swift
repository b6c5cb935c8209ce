import GranaryBase
import GranaryFormats

/// The bytes of delimited records that were refused or can still be refused, in an unlinked temporary file. The rejects
/// file is written from it.
///
/// `@unchecked Sendable` is safe: the reading thread adds records, and the other thread reads them only after it has
/// ended.
final class KeptRecords: @unchecked Sendable {
    private let spool = ByteSpool(keepsFiles: false)
    /// The range of each source's records in the temporary file. Sources are read one after the other.
    private var ranges: [Int32: Range<Int>] = [:]
    /// The records that are not written yet: the number and the length, 8 bytes each, and the bytes of each.
    private var buffer: [UInt8] = []
    private var end = 0
    /// The error of writing, which ``forEach(of:_:)`` throws.
    private var failure: GranaryError?

    private static let name = "the rejected records"
    private static let headerBytes = 16
    private static let capacity = 1 << 18

    /// Adds a record without its line end. The records of a source are added in order.
    func add(_ number: Int, _ raw: UnsafeBufferPointer<UInt8>, of file: Int32) {
        guard failure == nil else { return }
        let start = ranges[file]?.lowerBound ?? end
        withUnsafeBytes(of: (Int64(number).littleEndian, Int64(raw.count).littleEndian)) {
            buffer.append(contentsOf: $0)
        }
        buffer.append(contentsOf: raw)
        end += Self.headerBytes + raw.count
        ranges[file] = start..<end
        if buffer.count >= Self.capacity { flush() }
    }

    private func flush() {
        guard !buffer.isEmpty, failure == nil else { return }
        var result: GranaryError?
        buffer.withUnsafeBytes { bytes in
            do throws(GranaryError) { _ = try spool.append(bytes, of: Self.name) } catch { result = error }
        }
        failure = result
        buffer.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each record of a source in order.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` or `uncreatable` if the temporary file could not be written
    ///   or read.
    func forEach(
        of file: Int32, _ body: (_ number: Int, _ raw: [UInt8]) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        flush()
        if let failure { throw failure }
        guard let range = ranges[file] else { return }
        var place = range.lowerBound
        // A part of the temporary file, and the index of the next record in it.
        var bytes: [UInt8] = []
        var next = 0
        func load(_ count: Int) throws(GranaryError) {
            guard bytes.count - next < count else { return }
            bytes.removeSubrange(..<next)
            next = 0
            let old = bytes.count
            let more = min(range.upperBound - place, max(Self.capacity, count - old))
            bytes.append(contentsOf: repeatElement(0, count: more))
            var failure: GranaryError?
            bytes.withUnsafeMutableBytes { all in
                let target = UnsafeMutableRawBufferPointer(rebasing: all[old...])
                do throws(GranaryError) { try spool.readAll(at: place, into: target, of: Self.name) } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            place += more
        }
        while place < range.upperBound || next < bytes.count {
            try load(Self.headerBytes)
            let (number, count) = bytes.withUnsafeBytes {
                (
                    Int64(littleEndian: $0.loadUnaligned(fromByteOffset: next, as: Int64.self)),
                    Int64(littleEndian: $0.loadUnaligned(fromByteOffset: next + 8, as: Int64.self))
                )
            }
            next += Self.headerBytes
            try load(Int(count))
            try body(Int(number), Array(bytes[next..<next + Int(count)]))
            next += Int(count)
        }
    }
}
