import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Decides for each destination whether its objects are named by key or by id.
struct ReferenceChoice {
    let schema: Schema
    let style: ExportOptions.ReferenceStyle?
    private var chosen: [Int: RecordTable.Reference] = [:]

    init(schema: Schema, style: ExportOptions.ReferenceStyle?) {
        self.schema = schema
        self.style = style
    }

    /// - Throws: ``GranaryError`` with code `usage` where keys are asked for and the destination has none.
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
                    "\(entity.name).\(relationship.name): \(target.name) has no uniqueness constraint whose attributes "
                        + "could name its objects; say --reference id")
            }
            reference = .key(key)
        case nil:
            reference = NaturalKey(of: target, allowsSeveral: false).map { .key($0) } ?? .id
        }
        chosen[destination] = reference
        return reference
    }
}
