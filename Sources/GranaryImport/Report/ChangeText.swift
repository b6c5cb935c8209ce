import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// Formats keys and values for a list of changes: `"Ann"`, `44`, `NULL`, `Injury/p2`, each shortened.
struct ChangeText {
    let schema: Schema

    /// The text of the cell of an attribute or a to-one relationship.
    func value(_ slot: Int, row: Int, of batch: borrowing RowBatch) -> String {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        if let attribute = entity.attributes.first(where: { $0.slot == slot }) {
            return value(attribute, row: row, of: batch)
        }
        if case .reference(let key, let entity) = batch[row, slot] { return reference(entity: Int(entity), key: key) }
        return "NULL"
    }

    func value(_ attribute: Schema.Attribute, row: Int, of batch: borrowing RowBatch) -> String {
        guard let value = try? batch.value(row: row, of: attribute) else { return "NULL" }
        return value.withBorrowed { (value) -> String in
            var bytes: [UInt8] = []
            switch value {
            case .null: return "NULL"
            case .binary(let data): return "\(data.count) bytes"
            case .text(let text), .uri(let text):
                return "\"\(Diagnostic.shortened(String(decoding: text, as: UTF8.self)))\""
            default:
                // Values that the export formats cannot hold, such as NaN, use Swift's description.
                guard (try? ValueText.append(value, dates: .iso8601, binary: .hex, to: &bytes)) != nil else {
                    return "\(value)"
                }
                return Diagnostic.shortened(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    func reference(entity: Int, key: Int64) -> String {
        guard schema.entities.indices.contains(entity) else { return "p\(key)" }
        return schema.objectName(entity: entity, key: key)
    }

    /// A list: `[Tag/p1, Tag/p2]`. Of a long list, the first members that the other list does not have, and the number of
    /// all: `[Tag/p9, … (40)]`.
    func list(_ members: [Link], unlike other: [Link]) -> String {
        var shown = members
        if members.count > Self.listLimit {
            let known = Set(other.map(\.destination))
            shown = Array(members.lazy.filter { !known.contains($0.destination) }.prefix(Self.listLimit))
        }
        var texts = shown.map { reference(entity: $0.entity, key: $0.destination) }
        if shown.count < members.count { texts.append("… (\(members.count))") }
        return "[" + texts.joined(separator: ", ") + "]"
    }

    /// The number of members of a list in a text.
    private static let listLimit = 5

    /// The values of the entity's natural key, separated by commas; nil if the entity has none.
    func key(row: Int, of batch: borrowing RowBatch) -> String? {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        guard let key = NaturalKey(of: entity, allowsSeveral: true) else { return nil }
        var parts: [String] = []
        for attribute in key.attributes { parts.append(value(attribute, row: row, of: batch)) }
        return parts.joined(separator: ", ")
    }
}
