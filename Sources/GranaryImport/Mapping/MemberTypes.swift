import GranaryBase
import GranaryFormats
import GranaryModel

/// Determines for the JSON reader which members are Transformable attributes, whose objects and lists are values and
/// not related objects.
///
/// The kind of an object is the index of its entity.
final class MemberTypes: MemberGuide {
    private let schema: Schema
    private let options: ImportOptions
    /// The entity of records for which the source names none; nil if unknown.
    private let entity: Schema.Entity?

    /// Returns nil for a model without Transformable attributes.
    init?(schema: Schema, options: ImportOptions, entity: Schema.Entity?) {
        guard schema.entities.contains(where: { $0.attributes.contains { $0.type == .transformable } }) else {
            return nil
        }
        self.schema = schema
        self.options = options
        self.entity = entity
    }

    func kind(ofRecordsOf entity: String?) -> Int32 {
        let found = entity.map { schema.entity(named: $0) } ?? self.entity
        return found.map { Int32(clamping: $0.index) } ?? -1
    }

    func content(of member: String, kind: Int32) -> MemberContent {
        guard schema.entities.indices.contains(Int(kind)) else { return .objects(kind: -1) }
        // The record can be an object of a subentity, which it names in its member `$entity`.
        for index in schema.entities[Int(kind)].family {
            let entity = schema.entities[index]
            let plan = ColumnPlan(entity: entity, schema: schema, options: options)
            // Errors in a column's options are reported when the column is resolved.
            guard let found = try? plan.property(of: member) else { continue }
            switch entity.property(named: found) {
            case .attribute(let index)? where entity.attributes[index].type == .transformable: return .json
            case .relationship(let index)?:
                return .objects(kind: Int32(clamping: entity.relationships[index].destination))
            default: return .objects(kind: -1)
            }
        }
        return .objects(kind: -1)
    }
}
