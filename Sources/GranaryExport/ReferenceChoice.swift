import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// Chooses for each destination entity whether references are keys or ids.
struct ReferenceChoice {
    let schema: Schema
    let style: ExportOptions.ReferenceStyle?
    private var chosen: [Int: RecordTable.Reference] = [:]

    init(schema: Schema, style: ExportOptions.ReferenceStyle?) {
        self.schema = schema
        self.style = style
    }

    /// - Throws: ``GranaryError`` with code `usage` if the style is `key` and the destination has no key.
    mutating func reference(
        to destination: Int, of relationship: Schema.Relationship, _ entity: Schema.Entity
    ) throws(GranaryError) -> RecordTable.Reference {
        if let reference = chosen[destination] { return reference }
        let reference: RecordTable.Reference
        let target = schema.entities[destination]
        switch style {
        case .id?: reference = .id
        case .key?:
            guard let key = NaturalKey(of: target, allowsSeveral: true) else {
                throw GranaryError(
                    .usage,
                    "\(entity.name).\(relationship.name): \(target.name) has no uniqueness constraint to use as key",
                    help: "--reference id")
            }
            reference = .key(key)
        case nil:
            reference = NaturalKey(of: target, allowsSeveral: false).map { .key($0) } ?? .id
        }
        chosen[destination] = reference
        return reference
    }
}
