import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// The values of a natural key as bytes: equal values of the same attributes have equal bytes, others have not.
enum PairingKey {
    /// Longer keys are replaced by their SHA-256, so that entries of the index are small.
    private static let byteLimit = 64

    private enum Form {
        static let values: UInt8 = 0
        static let digest: UInt8 = 1
    }

    /// Returns nil if a value is NULL, or is not a value of its property.
    ///
    /// - Parameter target: returns the destination of a relationship by its entity and primary key.
    static func bytes(
        of properties: DiffKey.Side, row: Int, in batch: borrowing RowBatch, target: (Int, Int64) throws -> LinkTarget
    ) throws -> [UInt8]? {
        guard !properties.isEmpty else { return nil }
        var key = [Form.values]
        for relationship in properties.relationships {
            guard case .reference(let object, let entity) = batch[row, relationship.slot] else { return nil }
            let target = try target(Int(entity), object)
            for word in [
                target.kind.rawValue, UInt64(bitPattern: Int64(target.entity)), UInt64(bitPattern: target.key),
            ] {
                append(word, to: &key)
            }
        }
        for attribute in properties.attributes {
            do {
                guard try batch.withValue(row: row, of: attribute, { append($0, to: &key) }) else { return nil }
            } catch is CellMismatch {
                return nil
            }
        }
        guard key.count > byteLimit else { return key }
        var digest = ContentDigest()
        digest.update(key)
        return [Form.digest] + digest.bytes
    }

    /// Appends a value; false for NULL. All keys of an entity have values of the same kinds, so the bytes contain no
    /// kinds.
    private static func append(_ value: BorrowedValue, to key: inout [UInt8]) -> Bool {
        switch value {
        case .null: return false
        case .boolean(let flag): key.append(flag ? 1 : 0)
        case .integer(let number): append(UInt64(bitPattern: number), to: &key)
        case .float(let number): append(UInt64(number.bitPattern), to: &key)
        case .double(let number), .date(let number): append(number.bitPattern, to: &key)
        case .decimal(let number):
            var text: [UInt8] = []
            DecimalText.append(number, to: &text)
            append(UInt64(text.count), to: &key)
            key.append(contentsOf: text)
        case .text(let bytes), .uri(let bytes), .binary(let bytes):
            append(UInt64(bytes.count), to: &key)
            key.append(contentsOf: bytes)
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { key.append(contentsOf: $0) }
        }
        return true
    }

    private static func append(_ word: UInt64, to key: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { key.append(contentsOf: $0) }
    }
}
