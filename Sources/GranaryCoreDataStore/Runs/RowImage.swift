import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Encodes rows as bytes that include storage classes and lengths, and computes their digests.
struct RowImage {
    /// The number of bytes of a digest that are kept.
    private static let digestLength = 16
    private(set) var bytes: [UInt8] = []

    /// Encodes columns of the current row. Replaces the previous bytes.
    ///
    /// - Parameter version: a column whose integer is encoded as one higher.
    mutating func read(_ row: Statement, _ columns: Range<Int>, raising version: Int? = nil) throws {
        bytes.removeAll(keepingCapacity: true)
        for column in columns {
            switch row.type(at: column) {
            case .null: bytes.append(0)
            case .integer: append(1, UInt64(bitPattern: row.integer(at: column) &+ (column == version ? 1 : 0)))
            case .real: append(2, row.double(at: column).bitPattern)
            case .text: append(3, try row.text(at: column))
            case .blob: append(4, try row.blob(at: column))
            }
        }
    }

    /// The digest of the columns of the current row.
    mutating func digest(_ row: Statement, _ columns: Range<Int>, raising version: Int? = nil) throws -> [UInt8] {
        try read(row, columns, raising: version)
        var digest = ContentDigest()
        digest.update(bytes)
        return Array(digest.bytes.prefix(Self.digestLength))
    }

    private mutating func append(_ tag: UInt8, _ number: UInt64) {
        bytes.append(tag)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func append(_ tag: UInt8, _ value: UnsafeBufferPointer<UInt8>) {
        append(tag, UInt64(value.count))
        bytes.append(contentsOf: value)
    }
}

extension Statement {
    /// Binds a column of another statement's row with its storage class. The bytes are valid until that statement
    /// steps.
    func bindValue(of row: Statement, column: Int, at index: Int) throws {
        switch row.type(at: column) {
        case .null: try bindNull(at: index)
        case .integer: try bind(row.integer(at: column), at: index)
        case .real: try bind(row.double(at: column), at: index)
        case .text: try bindBorrowedText(try row.text(at: column), at: index)
        case .blob: try bindBorrowedBlob(try row.blob(at: column), at: index)
        }
    }
}
