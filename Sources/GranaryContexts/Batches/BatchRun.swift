import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The transaction of a batch request in one store.
struct BatchRun {
    let store: any StoreBackend
    let writer: any StoreWriter
    let identity: StoreIdentity
    /// Whether the result has the IDs of the objects.
    let returnsIDs: Bool

    var schema: Schema { identity.schema }

    /// The number of rows written at once.
    static let batchRows = 500
    /// The number of bytes of rows written at once.
    static let batchBytes = 8 << 20

    func id(_ entity: Int, _ key: Int64) -> ManagedObjectID {
        ManagedObjectID(origin: identity, entity: entity, key: key)
    }

    /// The diagnostic of a broken rule; the key is nil for a new object.
    func diagnostic(
        _ violation: Violation, _ entity: Schema.Entity, _ property: String, _ value: AttributeValue?, key: Int64?
    ) -> Diagnostic {
        let object = key.map { id(entity.index, $0) }
        var diagnostic = Diagnostic(
            violation.code, violation.message + (object.map { " (\($0))" } ?? ""), entity: entity.name,
            property: property, object: object.map { "\($0.uriRepresentation)" }, value: value?.shortText,
            coreDataCode: violation.coreDataCode)
        diagnostic.rule = violation.rule ?? entity.attribute(named: property)?.description.brokenRule(violation.code)
        return diagnostic
    }
}
