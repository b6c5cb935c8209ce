import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Compares values of attributes exactly, and copies those that differ.
extension ObjectDifference.Value {
    /// The maximum number of bytes of binary data that is reported as a whole.
    private static let reportedBytes = 4096
    /// The number of bytes of a file that are read at once.
    private static let chunkBytes = 1 << 16

    /// Whether two rows have the same value of an attribute.
    static func isSame(
        _ attribute: DiffPlan.Attribute, _ a: borrowing RowBatch, _ rowA: Int, _ b: borrowing RowBatch, _ rowB: Int
    ) -> Bool {
        let (left, right) = (a[rowA, attribute.a.slot], b[rowB, attribute.b.slot])
        let isSameCell = a.bytes.withUnsafeBufferPointer { bytes in
            b.bytes.withUnsafeBufferPointer { left.hasValue(of: right, bytes, $0) }
        }
        if isSameCell { return true }
        let files = (
            a.externalFile(row: rowA, slot: attribute.a.slot), b.externalFile(row: rowB, slot: attribute.b.slot)
        )
        if files.0 != nil || files.1 != nil {
            guard let known = content(of: left, in: a, file: files.0) else { return false }
            return known == content(of: right, in: b, file: files.1)
        }
        // Cells that differ can have the same value, such as a Float from a longer number.
        let value = try? a.withValue(row: rowA, of: attribute.a) { left in
            try b.withValue(row: rowB, of: attribute.b) { isSame(left, $0) }
        }
        return value ?? false
    }

    private static func isSame(_ left: BorrowedValue, _ right: BorrowedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
            left.bitPattern == right.bitPattern
        case (.decimal(let left), .decimal(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.text(let left), .text(let right)), (.uri(let left), .uri(let right)),
            (.binary(let left), .binary(let right)):
            left.count == right.count && left.elementsEqual(right)
        default: false
        }
    }

    // MARK: - Copies

    /// Copies a value, or computes the digest of large binary data.
    init(of attribute: Schema.Attribute, row: Int, in batch: borrowing RowBatch) {
        if let file = batch.externalFile(row: row, slot: attribute.slot) {
            if let content = Content(file: file) {
                self = .data(count: content.count, digest: content.digest)
            } else {
                self = .invalid("the external data file \(file) is missing or cannot be read")
            }
            return
        }
        do {
            self = try batch.withValue(row: row, of: attribute) { Self($0) }
        } catch let mismatch as CellMismatch {
            self = .invalid(mismatch.message)
        } catch {
            self = .invalid("\(error)")
        }
    }

    private init(_ value: BorrowedValue) {
        switch value {
        case .null: self = .null
        case .binary(let bytes) where bytes.count > Self.reportedBytes:
            let content = Content(UnsafeRawBufferPointer(bytes))
            self = .data(count: content.count, digest: content.digest)
        case .uri(let bytes):
            // Foundation cannot represent every URI that a store can contain.
            self = .value(AttributeValue(value) ?? .string(String(decoding: bytes, as: UTF8.self)))
        default: self = AttributeValue(value).map { .value($0) } ?? .null
        }
    }

    // MARK: - Content

    /// The size and the SHA-256 of binary data.
    private struct Content: Hashable {
        private(set) var count = 0
        let digest: String

        init(_ bytes: UnsafeRawBufferPointer) {
            var hash = ContentDigest()
            hash.update(bytes)
            count = bytes.count
            digest = hash.hexadecimal
        }

        /// Reads a file in chunks; nil if it cannot be read.
        init?(file: String) {
            guard let source = try? ByteSource(path: file) else { return nil }
            var hash = ContentDigest()
            var chunk = [UInt8](repeating: 0, count: ObjectDifference.Value.chunkBytes)
            while true {
                guard let read = try? source.read(into: &chunk) else { return nil }
                if read == 0 { break }
                count += read
                chunk.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
            }
            digest = hash.hexadecimal
        }
    }

    /// The content of a cell with binary data; nil for other cells, and for a file that cannot be read.
    private static func content(of cell: StoredCell, in batch: borrowing RowBatch, file: String?) -> Content? {
        if let file { return Content(file: file) }
        guard case .blob(let start, let count) = cell else { return nil }
        return batch.lend(start, count) { Content(UnsafeRawBufferPointer($0)) }
    }
}
