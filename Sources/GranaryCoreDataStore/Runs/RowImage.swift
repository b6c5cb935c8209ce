import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Rows as bytes that tell storage classes and lengths apart, and their digests.
struct RowImage {
    /// How many bytes of a digest are kept for each row.
    private static let digestLength = 16
    private(set) var bytes: [UInt8] = []

    /// Takes the columns of the current row in place of what was there.
    ///
    /// - Parameter version: a column whose number is taken to be one higher.
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
    /// Binds a column of another statement's row, in the same storage class. The bytes are borrowed until that goes on.
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
