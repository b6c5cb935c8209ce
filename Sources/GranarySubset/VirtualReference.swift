import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// An attribute whose value names an object of another entity: `Visit.patientID` has the value of `Patient.id`.
struct VirtualReference: Sendable {
    /// The place among the references of the options.
    let index: Int
    /// The name of the attribute.
    let name: String
    /// The entities whose objects have the attribute.
    let owners: Range<Int>
    let attribute: Schema.Attribute
    /// The attribute of the other entity.
    let target: Schema.Attribute
    /// The entities whose objects the value can name.
    let targets: Range<Int>
    /// The root of these entities.
    let root: Int
    /// Whether texts are compared as UUIDs, because one of the attributes is a UUID.
    let comparesUUIDs: Bool

    private static let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]

    /// - Throws: ``GranaryError`` with code `usage`.
    init(_ reference: SubsetOptions.Reference, index: Int, _ schema: Schema) throws(GranaryError) {
        let (entity, attribute) = try Self.attribute(reference.attribute, schema)
        let (targetEntity, target) = try Self.attribute(reference.target, schema)
        let text = "\(reference.attribute)=\(reference.target)"
        let types = [attribute.type, target.type]
        comparesUUIDs = types.contains(.uuid)
        let isPossible =
            types[0] == types[1] || types.allSatisfy { Self.integers.contains($0) }
            || (comparesUUIDs && types.contains(.string))
        guard isPossible, types[0] != .transformable, types[0] != .binary else {
            throw GranaryError(
                .usage,
                "\(text): values of the types \(types[0].name) and \(types[1].name) do not name each other; compare two "
                    + "attributes of one type, two integers, or a UUID and a String")
        }
        self.index = index
        self.attribute = attribute
        self.target = target
        name = attribute.name
        owners = entity.family
        targets = targetEntity.family
        root = targetEntity.root
    }

    private static func attribute(
        _ text: String, _ schema: Schema
    ) throws(GranaryError) -> (Schema.Entity, Schema.Attribute) {
        let path = try PropertyPath(text, schema)
        guard let attribute = path.entity.attribute(named: path.property), attribute.isPersistent else {
            throw GranaryError(
                .usage,
                "\(Diagnostic.shortened(text)): \(path.entity.name) has no such stored attribute"
                    + NearestText.hint(for: path.property, in: path.entity.attributes.map(\.name)))
        }
        return (path.entity, attribute)
    }

    /// The value in the form in which both attributes are compared; nil for NULL.
    func compared(_ value: AttributeValue?) -> AttributeValue? {
        guard comparesUUIDs, case .string(let text)? = value, let uuid = UUID(uuidString: text) else { return value }
        return .uuid(uuid)
    }

    /// The warning that values name no object.
    func warning(missing count: Int, _ schema: Schema) -> Diagnostic {
        let entity = schema.entities[owners.lowerBound]
        return Diagnostic(
            .relationshipNotFound,
            "\(CountText.count(count, "value")) of copied objects \(count == 1 ? "names" : "name") no object with this "
                + "\(schema.entities[targets.lowerBound].name).\(target.name)",
            severity: .warning, entity: entity.name, property: name)
    }
}
