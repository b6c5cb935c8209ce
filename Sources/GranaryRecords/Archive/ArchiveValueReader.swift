import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// Parses the fields of an archive. It accepts only the forms that `PropertyListWriter` writes for a type.
struct ArchiveValueReader {
    private var dates = DateTextReader()
    private var data: [UInt8] = []

    /// Returns the cell of an attribute; appends its bytes to the batch's buffer.
    mutating func cell(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, _ attribute: Schema.Attribute,
        in batch: inout RowBatch
    ) throws(ValueTextError) -> StoredCell {
        switch (attribute.type, kind) {
        case (_, .null): return .null
        case (.integer16, .number), (.integer32, .number), (.integer64, .number):
            let value = try IntegerText.parse(bytes)
            guard attribute.type.integerRange?.contains(value) ?? false else { throw .range("out of range") }
            return batch.cell(for: .integer(value))
        case (.boolean, .boolean): return batch.cell(for: .boolean(try BooleanText.parse(bytes)))
        case (.double, .number):
            return batch.cell(for: .double(try FloatingText.parse(bytes, allowNonFinite: true)))
        case (.float, .number):
            return batch.cell(for: .float(try FloatingText.parseFloat(bytes, allowNonFinite: true)))
        case (.decimal, .quoted): return batch.cell(for: .decimal(try DecimalText.parse(bytes)))
        case (.date, .date): return batch.cell(for: .date(try FloatingText.parse(bytes)))
        // Dates that a <date> of an XML list cannot hold are strings.
        case (.date, .quoted): return batch.cell(for: .date(try dates.parse(bytes)))
        case (.string, .quoted): return batch.cell(for: .text(bytes))
        case (.uri, .quoted):
            // Any URI that Foundation accepts; readers of the store convert it to a URL.
            guard AttributeValue(.uri(bytes)) != nil else { throw .syntax("not a URI") }
            return batch.cell(for: .uri(bytes))
        case (.uuid, .quoted): return batch.cell(for: .uuid(try UUIDText.parse(bytes)))
        case (.binary, .quoted) where attribute.mayHoldJSON && CompactJSON.isCompact(bytes):
            return batch.cell(for: .binary(bytes))
        case (.binary, .data), (.transformable, .data):
            data.removeAll(keepingCapacity: true)
            try Base64Text.decode(bytes, into: &data)
            return data.withUnsafeBufferPointer { batch.cell(for: .binary($0)) }
        default: throw .syntax(Self.name(of: kind))
        }
    }

    private static func name(of kind: Record.Kind) -> String {
        switch kind {
        case .text, .quoted: "a string"
        case .number: "a number"
        case .boolean: "a Boolean"
        case .date: "a date"
        case .data: "data"
        case .null: "NULL"
        case .emptyList, .array: "an array"
        case .object, .json: "a dictionary"
        }
    }
}
