import GranaryBase
import GranaryCoordination

/// The encoding of key values as bytes: for each value its kind and its content, with the length if that varies.
/// Different values have different bytes.
enum NaturalKeyBytes {
    /// One value of a key.
    enum Part {
        case integer(Int64)
        case real(Double)
        /// Text or bytes; the attribute's type decides.
        case bytes(ArraySlice<UInt8>)
        /// The primary key of an object.
        case reference(Int64)
    }

    /// How a value is written in messages, if its bytes do not tell.
    enum Form {
        case plain
        /// Bytes, as Base64.
        case binary
        /// An object of the entity with this name.
        case object(String)
    }

    private enum Kind {
        static let integer: UInt8 = 0
        static let real: UInt8 = 1
        static let bytes: UInt8 = 2
        static let reference: UInt8 = 3
    }

    /// Appends one value; false for NULL, which equals no value.
    static func append(_ cell: StoredCell, of batch: borrowing RowBatch, to key: inout [UInt8]) -> Bool {
        switch cell {
        case .null: return false
        case .integer(let value): append(Kind.integer, value, to: &key)
        case .real(let value):
            key.append(Kind.real)
            withUnsafeBytes(of: value.bitPattern.littleEndian) { key.append(contentsOf: $0) }
        case .text(let start, let count), .decimal(let start, let count), .blob(let start, let count),
            .file(let start, let count):
            batch.lend(start, count) { append(text: $0, to: &key) }
        case .reference(let reference, _): append(Kind.reference, reference, to: &key)
        }
        return true
    }

    /// Appends text as ``append(_:of:to:)`` appends a text cell.
    static func append(text: UnsafeBufferPointer<UInt8>, suffix: [UInt8] = [], to key: inout [UInt8]) {
        key.append(Kind.bytes)
        Varint.append(UInt64(text.count + suffix.count), to: &key)
        key.append(contentsOf: text)
        key.append(contentsOf: suffix)
    }

    /// Appends an integer. Small numbers of either sign take one or two bytes.
    private static func append(_ kind: UInt8, _ value: Int64, to key: inout [UInt8]) {
        key.append(kind)
        Varint.append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &key)
    }

    /// The values of a key.
    static func parts(of key: ArraySlice<UInt8>) -> [Part] {
        var rest = key
        var parts: [Part] = []
        while let part = next(&rest) { parts.append(part) }
        return parts
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> Part? {
        guard let kind = rest.popFirst() else { return nil }
        switch kind {
        case Kind.real:
            let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            return .real(Double(bitPattern: bits))
        case Kind.bytes:
            let count = Int(clamping: Varint.next(&rest))
            let bytes = rest.prefix(count)
            rest = rest.dropFirst(count)
            return .bytes(bytes)
        default:
            let word = Varint.next(&rest)
            let value = Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1)
            return kind == Kind.reference ? .reference(value) : .integer(value)
        }
    }

    /// The text of a key with one text value, for suggestions; nil for other keys.
    static func text(_ key: ArraySlice<UInt8>) -> String? {
        let parts = parts(of: key)
        guard parts.count == 1, case .bytes(let bytes) = parts[0] else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The key for messages: texts in quotes, several values in brackets.
    ///
    /// - Parameter forms: the form of each value; ``Form/plain`` for those that are not listed.
    static func display(_ key: ArraySlice<UInt8>, forms: [Form] = []) -> String {
        let parts = parts(of: key).enumerated().map { index, part in
            let form = forms.indices.contains(index) ? forms[index] : .plain
            switch part {
            case .integer(let value): return "\(value)"
            case .reference(let value):
                guard case .object(let name) = form else { return "\(value)" }
                return "\(name)/p\(value)"
            case .real(let value): return "\(value)"
            case .bytes(let bytes):
                var text = if case .binary = form { String?.none } else { String(validating: bytes, as: UTF8.self) }
                if text == nil {
                    var encoded: [UInt8] = []
                    bytes.withUnsafeBufferPointer { Base64Text.encode($0, into: &encoded) }
                    text = String(decoding: encoded, as: UTF8.self)
                }
                return "\"\(Diagnostic.shortened(text ?? ""))\""
            }
        }
        return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ", ") + "]"
    }

    /// The values of a key as cells. Texts and bytes become text cells, whose content is appended to the batch.
    static func cells(_ key: [UInt8], into batch: inout RowBatch) -> [StoredCell] {
        parts(of: key[...]).map { part in
            switch part {
            case .integer(let value): return .integer(value)
            case .real(let value): return .real(value)
            case .reference: return .null
            case .bytes(let bytes):
                let start = UInt32(truncatingIfNeeded: batch.bytes.count)
                batch.bytes.append(contentsOf: bytes)
                return .text(start: start, count: UInt32(truncatingIfNeeded: bytes.count))
            }
        }
    }
}
