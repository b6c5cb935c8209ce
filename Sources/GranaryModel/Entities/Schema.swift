public import Foundation

/// A checked model, as used by contexts, stores, importers and exporters.
///
/// It is immutable and created by ``ManagedObjectModel/resolved()``. Entities and properties are identified by indexes,
/// so names are looked up only once.
public final class Schema: Sendable {
    /// The model from which it was created.
    public let model: ManagedObjectModel
    /// All entities, including abstract ones, in Core Data's order: roots by case-insensitive name, each followed by
    /// its subentities. An entity's number in a store (`Z_ENT`) is its index plus one.
    public let entities: [Entity]
    /// The version hash of each entity (32 bytes), as Core Data computes it.
    public let versionHashes: [String: Data]
    /// The checksum that stores contain as `NSStoreModelVersionChecksumKey`.
    public let checksum: String
    /// The digest that stores contain as `NSStoreModelVersionHashesDigest`.
    package let digest: String

    /// `ENTITY/p` for each entity, with which the names of its objects begin.
    package let objectPrefixes: ObjectPrefixes

    private let indexesByName: [String: Int]

    init(model: ManagedObjectModel, entities: [Entity]) {
        self.model = model
        self.entities = entities
        let hashes = VersionHasher(entities: entities, model: model).entityHashes()
        versionHashes = Dictionary(zip(entities.map(\.name), hashes)) { first, _ in first }
        checksum = VersionHasher.checksum(versionHashes)
        digest = VersionHasher.digest(versionHashes)
        objectPrefixes = ObjectPrefixes(entities)
        indexesByName = Dictionary(entities.map { ($0.name, $0.index) }) { first, _ in first }
        for entity in entities { entity.schema = self }
    }

    /// The entity with a name; nil if there is none.
    public func entity(named name: String) -> Entity? {
        indexesByName[name].map { entities[$0] }
    }

    /// Whether `index` is `ancestor` or one of its subentities at any depth.
    package func entity(_ index: Int, isKindOf ancestor: Int) -> Bool {
        // Subentities directly follow their superentity.
        entities[ancestor].family.contains(index)
    }
}

// Classes for performance, although they are values: a copy costs one reference count, but a copy of a struct with all
// strings of a description would cost twenty for every field of every row.
extension Schema {
    /// An entity with inherited properties.
    public final class Entity: Sendable {
        /// Its index in ``Schema/entities``.
        public let index: Int
        /// The entity in the model, without inherited properties.
        public let description: EntityDescription
        /// The index of its superentity; nil for a root.
        public let superentity: Int?
        /// The index of the root of its hierarchy, which is itself for a root.
        public let root: Int
        /// The indexes of itself and all its subentities at any depth.
        public let family: Range<Int>
        /// The attributes, inherited ones first, with composites replaced by their leaves.
        public let attributes: [Attribute]
        /// The relationships, inherited ones first.
        public let relationships: [Relationship]
        /// The uniqueness constraints, inherited ones first.
        public let uniquenessConstraints: [UniquenessConstraint]
        /// The number of slots of an object: each attribute and relationship has its ``Attribute/slot``.
        package let slotCount: Int

        let slotsByName: [String: Slot]

        /// The schema of the entity; nil after the schema was deallocated. It is set once, before any other thread can
        /// know the entity.
        nonisolated(unsafe) package internal(set) weak var schema: Schema?

        init(
            index: Int, description: EntityDescription, superentity: Int?, root: Int, family: Range<Int>,
            attributes: [Attribute], relationships: [Relationship], uniquenessConstraints: [UniquenessConstraint],
            slotCount: Int, slotsByName: [String: Slot], propertyNames: Set<String>
        ) {
            self.index = index
            self.description = description
            self.superentity = superentity
            self.root = root
            self.family = family
            self.attributes = attributes
            self.relationships = relationships
            self.uniquenessConstraints = uniquenessConstraints
            self.slotCount = slotCount
            self.slotsByName = slotsByName
            self.propertyNames = propertyNames
        }

        /// The entity's name in the model.
        public var name: String { description.name }
        /// The keys and values of the entity's user info in the model. (`NSEntityDescription.userInfo`)
        public var userInfo: [String: UserInfoValue] { description.userInfo }
        /// Whether it is abstract: only its subentities have objects.
        public var isAbstract: Bool { description.isAbstract }
        /// Its number in a store.
        package var number: Int { index + 1 }
        /// Whether any entity inherits from it.
        public var hasSubentities: Bool { family.count > 1 }

        /// The names of its own and inherited properties: attributes, whole composites, relationships and fetched
        /// properties.
        let propertyNames: Set<String>

        /// The own or inherited property with a name; nil if there is none.
        public func property(named name: String) -> Slot? { slotsByName[name] }

        /// The own or inherited attribute with a name; nil if there is none. A composite's leaf is `composite.leaf`.
        public func attribute(named name: String) -> Attribute? {
            if case .attribute(let index)? = slotsByName[name] { attributes[index] } else { nil }
        }

        /// The name of the property that has a name or that can be found by it, as an enumeration of SwiftData can.
        package func name(ofProperty name: String) -> String { attribute(named: name)?.name ?? name }

        /// The own or inherited relationship with a name; nil if there is none.
        public func relationship(named name: String) -> Relationship? {
            if case .relationship(let index)? = slotsByName[name] { relationships[index] } else { nil }
        }
    }

    /// A reference to a property: an index into the entity's attributes or relationships.
    public enum Slot: Sendable, Hashable {
        /// An index into ``Entity/attributes``.
        case attribute(Int)
        /// An index into ``Entity/relationships``.
        case relationship(Int)
    }

    /// An attribute of one entity.
    public final class Attribute: Sendable {
        /// The place of its value in an object; the same in every subentity.
        package let slot: Int
        /// Its name; for a composite's leaf `composite.leaf`. An enumeration of SwiftData has the name of its property.
        public let name: String
        /// The entity that declares it, as an index.
        public let owner: Int
        /// The attribute in the model; for a composite's leaf the leaf. For an enumeration of SwiftData without raw
        /// values, whose leaves are its cases, an optional String.
        public let description: AttributeDescription
        /// The cases of an enumeration of SwiftData without raw values. The value is the name of a case, and an SQLite
        /// store has a column for each case. Nil for all other attributes.
        package let cases: [String]?
        /// Whether values can be JSON text of SwiftData, which is shown as JSON.
        package let mayHoldJSON: Bool
        package let validator: AttributeValidator

        init(
            slot: Int, name: String, owner: Int, description: AttributeDescription, cases: [String]? = nil,
            mayHoldJSON: Bool = false, validator: AttributeValidator
        ) {
            self.slot = slot
            self.name = name
            self.owner = owner
            self.description = description
            self.cases = cases
            self.mayHoldJSON = mayHoldJSON
            self.validator = validator
        }

        /// The type; for a composite's leaf the type of the leaf.
        public var type: AttributeType { description.type }
        /// Whether a store keeps it.
        public var isPersistent: Bool { !description.isTransient }
    }

    /// A relationship of one entity.
    public final class Relationship: Sendable {
        /// The place of its value in an object; the same in every subentity.
        package let slot: Int
        /// The entity that declares it, as an index.
        public let owner: Int
        /// The relationship in the model.
        public let description: RelationshipDescription
        /// The index of the declared destination entity.
        public let destination: Int
        /// The inverse relationship; nil if there is none.
        public let inverse: Inverse?

        init(
            slot: Int, owner: Int, description: RelationshipDescription, destination: Int, inverse: Inverse?
        ) {
            self.slot = slot
            self.owner = owner
            self.description = description
            self.destination = destination
            self.inverse = inverse
        }

        /// The relationship's name in the model.
        public var name: String { description.name }
        /// Whether it is a to-many relationship: its maximum count is not 1.
        public var isToMany: Bool { description.isToMany }
        /// Whether a store keeps it.
        public var isPersistent: Bool { !description.isTransient }

        /// The index of the entity whose objects can be at its other end: the entity that declares the inverse, or the
        /// declared destination if there is no inverse.
        package var memberEntity: Int { inverse?.owner ?? destination }
    }

    /// The inverse of a relationship.
    public struct Inverse: Sendable, Hashable {
        /// The entity that declares it, as an index.
        public let owner: Int
        /// Its index in the relationships of the owner and of the owner's subentities.
        public let relationship: Int
    }

    /// Properties whose combined values are unique among the objects of an entity and its subentities.
    public struct UniquenessConstraint: Sendable, Hashable {
        /// The entity that declares it, as an index.
        public let owner: Int
        /// Its properties, in the model's order.
        public let properties: [Slot]
        /// The names of its properties, in the model's order; a composite's leaf is `composite.leaf`.
        public let names: [String]
    }
}
