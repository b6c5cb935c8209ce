import GranaryBase
public import GranaryContexts
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// What is not inferred in the step from one version of a model to another: values that code computes, and changes before
/// and after the step. (`NSCustomMigrationStage`, `NSEntityMigrationPolicy`)
///
/// ```swift
/// // The number was a text.
/// let step = MigrationStep(from: "App 3", to: "App 4", policies: [
///     "Book": { book in book.setValue(book.oldValue(forKey: "number")?.int64Value.map { .integer($0) }, forKey: "number") }
/// ])
/// var migration = try StoreMigration(in: modelURL)
/// migration.steps = [step]
/// ```
///
/// Everything else in the step is inferred: other entities, other properties, relationships. The objects pass one after
/// the other, so that memory does not grow with the store.
public struct MigrationStep: Sendable {
    /// Computes values of one object.
    public typealias Policy = @Sendable (inout MigratingObject) throws -> Void

    /// The name of the older version.
    public var from: String
    /// The name of the newer version.
    public var to: String
    /// The policies by the names of entities in the newer version. An entity without one inherits its superentity's.
    public var policies: [String: Policy]
    /// Called before the step with a context on a copy of the store in the older version. Its changes are migrated; the
    /// store itself changes only if the whole migration succeeds. (`willMigrateHandler`)
    public var willMigrate: (@Sendable (ManagedObjectContext) throws -> Void)?
    /// Called after the step with a context on the store in the newer version, before it is published. Its changes are
    /// saved. (`didMigrateHandler`)
    public var didMigrate: (@Sendable (ManagedObjectContext) throws -> Void)?

    /// A step with policies.
    public init(from: String, to: String, policies: [String: Policy] = [:]) {
        self.from = from
        self.to = to
        self.policies = policies
    }
}

/// One object in a ``MigrationStep``: its values in the older version, and the values that it gets in the newer one.
public struct MigratingObject {
    /// The name of its entity in the older version.
    public var oldEntityName: String { oldEntity.name }
    /// The name of its entity in the newer version.
    public var entityName: String { entity.name }
    /// Its primary key in the older version.
    public let key: Int64

    private let oldEntity: Schema.Entity
    private let entity: Schema.Entity
    private let old: RowBatch
    private let row: Int
    /// The values that were set, by slot; the outer nil means NULL.
    private(set) var values: [(attribute: Schema.Attribute, value: AttributeValue?)] = []
    private(set) var problem: GranaryError?

    init(_ old: RowBatch, _ row: Int, _ oldEntity: Schema.Entity, _ entity: Schema.Entity) {
        self.old = old
        self.row = row
        self.oldEntity = oldEntity
        self.entity = entity
        key = old.rows[row].key
    }

    /// Returns the value of an attribute in the older version; nil for NULL, and if there is no such attribute. The name
    /// of a composite's leaf is `composite.leaf`.
    public func oldValue(forKey name: String) -> AttributeValue? {
        guard let attribute = oldEntity.attribute(named: name), attribute.isPersistent else { return nil }
        return (try? old.value(row: row, of: attribute)) ?? nil
    }

    /// Returns the primary key of the object of a to-one relationship in the older version; nil for none.
    public func oldReference(forKey name: String) -> Int64? {
        guard let relationship = oldEntity.relationship(named: name), relationship.isPersistent,
            case .reference(let key, _) = old[row, relationship.slot]
        else { return nil }
        return key
    }

    /// Sets the value of an attribute in the newer version, instead of the inferred one. A value of another type, and a
    /// name that the entity does not have, end the migration with an error that names the object.
    public mutating func setValue(_ value: AttributeValue?, forKey name: String) {
        guard let attribute = entity.attribute(named: name), attribute.isPersistent else {
            return fail("\(entity.name) has no stored attribute \"\(Diagnostic.shortened(name))\"")
        }
        if let value, !value.fits(attribute.type) {
            return fail("the value of \(name) is not \(attribute.type.phrase)")
        }
        values.append((attribute, value))
    }

    private mutating func fail(_ message: String) {
        problem =
            problem
            ?? GranaryError(
                Diagnostic(
                    .valueSyntax, "\(oldEntity.name)/p\(key): a migration step failed: \(message)", entity: entity.name)
            )
    }
}

extension MigrationRules {
    /// Adds the policies of a step between two versions.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for an entity that the newer version does not have.
    mutating func add(_ step: MigrationStep, from old: Schema, to new: Schema) throws(GranaryError) {
        var found: [(entity: Schema.Entity, policy: MigrationStep.Policy)] = []
        for (name, policy) in step.policies {
            guard let entity = new.entity(named: name) else {
                let hint = NearestText.hint(for: name, in: new.entities.map(\.name))
                throw GranaryError(
                    .usage, "the step to \"\(step.to)\": there is no entity \"\(Diagnostic.shortened(name))\"\(hint)")
            }
            found.append((entity, policy))
        }
        // Superentities come before their subentities, whose own policies count.
        for (entity, policy) in found.sorted(by: { $0.entity.index < $1.entity.index }) {
            for place in entity.family {
                policies[place] = { batch, row, migrated, newRow in
                    var object = MigratingObject(
                        copy batch, row, old.entities[Int(batch.rows[row].entity)], new.entities[place])
                    try policy(&object)
                    if let problem = object.problem { throw problem }
                    for (attribute, value) in object.values {
                        if let value {
                            value.withBorrowed { migrated.set($0, row: newRow, slot: attribute.slot) }
                        } else {
                            migrated[newRow, attribute.slot] = .null
                        }
                    }
                }
            }
        }
    }
}
