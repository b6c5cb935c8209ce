import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The name of a property after the name of its entity: `Patient.name`.
struct PropertyPath {
    let entity: Schema.Entity
    let property: String

    /// - Throws: ``GranaryError`` with code `usage` for an unknown entity, or a text without a point.
    init(_ text: String, _ schema: Schema) throws(GranaryError) {
        guard let point = text.firstIndex(of: ".") else {
            throw GranaryError(
                .usage, "\"\(Diagnostic.shortened(text))\" is not the name of a property; write ENTITY.PROPERTY")
        }
        let name = String(text[..<point])
        guard let entity = schema.entity(named: name) else { throw schema.unknownEntity(name) }
        self.entity = entity
        property = String(text[text.index(after: point)...])
    }
}
